/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which capabilities are in effect, and when.
 *
 * At rest it is no more than what the caller may do anyway: for root its rights on files, for
 * others nothing. So whatever the caller names is opened with the caller's rights, and nobody has to
 * think of it. What sampling needs beyond is raised around the calls that need it:
 *
 *	const uint64_t before = rights__raise(RIGHTS_TO_LOOK);
 *	fd = open(path, O_RDONLY | O_CLOEXEC);
 *	rights__restore(before);
 *
 * Sets are each thread's own; a new thread begins with those of the one that starts it.
 */
#ifndef TOPSTACKS_BASE_SYSTEM_RIGHTS_H
#define TOPSTACKS_BASE_SYSTEM_RIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* include/uapi/linux/capability.h; older headers lack the last ones */
#define RIGHT(number)		 (UINT64_C(1) << (number))
#define RIGHT_CHOWN		 RIGHT(0)
#define RIGHT_DAC_OVERRIDE	 RIGHT(1)
#define RIGHT_DAC_READ_SEARCH	 RIGHT(2)
#define RIGHT_FOWNER		 RIGHT(3)
#define RIGHT_FSETID		 RIGHT(4)
#define RIGHT_KILL		 RIGHT(5)
#define RIGHT_SETGID		 RIGHT(6)
#define RIGHT_SETUID		 RIGHT(7)
#define RIGHT_IPC_LOCK		 RIGHT(14)
#define RIGHT_SYS_CHROOT	 RIGHT(18)
#define RIGHT_SYS_PTRACE	 RIGHT(19)
#define RIGHT_SYS_ADMIN		 RIGHT(21)
#define RIGHT_SYS_NICE		 RIGHT(23)
#define RIGHT_SYS_RESOURCE	 RIGHT(24)
#define RIGHT_SYSLOG		 RIGHT(34)
#define RIGHT_PERFMON		 RIGHT(38)
#define RIGHT_BPF		 RIGHT(39)
#define RIGHT_CHECKPOINT_RESTORE RIGHT(40)

/* bpf(), perf_event_open() and the memory behind them, which counted against limits before 5.11. */
#define RIGHTS_TO_SAMPLE (RIGHT_BPF | RIGHT_PERFMON | RIGHT_IPC_LOCK | RIGHT_SYS_RESOURCE)
/* perf_event_open(): where perf_event_paranoid is 3, Debian's kernels want CAP_SYS_ADMIN for it. */
#define RIGHTS_TO_OPEN_EVENTS (RIGHTS_TO_SAMPLE | RIGHT_SYS_ADMIN)
/* Uprobes: CAP_PERFMON up to 6.16 (ba677dbe77af), which the last releases of older kernels have, too. */
#define RIGHTS_TO_PROBE RIGHT_SYS_ADMIN
/* Whatever belongs to another process: /proc/PID, and the files that it has mapped. */
#define RIGHTS_TO_LOOK (RIGHT_SYS_PTRACE | RIGHT_DAC_READ_SEARCH | RIGHT_CHECKPOINT_RESTORE)
/* Addresses in /proc/kallsyms. */
#define RIGHTS_TO_NAME_KERNEL RIGHT_SYSLOG
/* A better priority. */
#define RIGHTS_TO_HURRY RIGHT_SYS_NICE
/* Another user, in a process that was forked for it. */
#define RIGHTS_TO_BECOME (RIGHT_SETUID | RIGHT_SETGID)
/* Nobody, in an empty directory: what a process becomes that reads foreign bytes. */
#define RIGHTS_TO_CONFINE (RIGHTS_TO_BECOME | RIGHT_SYS_CHROOT)

/*
 * The first thing that a program does: puts out of effect what the caller may not do anyway. A
 * program that is somebody else's by its mode (set-user-ID) becomes the caller's again. 0 or
 * negative errno, after which nothing may be done.
 */
int rights__init(void);

/*
 * Raises those of them that are permitted, in this thread, and leaves the others as they are.
 * CAP_SYS_ADMIN stands in for what it includes. Returns what was in effect before, for restore.
 */
uint64_t rights__raise(uint64_t wanted);
void rights__restore(uint64_t before);

/*
 * Gives up for good what is not in effect at rest, and what an exec could bring. Root keeps what it
 * takes to confine others.
 */
void rights__give_up(void);

/*
 * Gives up for good what no step after the start of sampling needs. Before the first thread, and
 * where no command is to be executed any more: exec, ptrace, sockets, mounts and their like are
 * refused from here on (see rights_filter.c), also to children. needed: what is kept beyond that.
 */
void rights__settle(uint64_t needed);

/* Gives up for good all but these, which are in effect from here on. 0 or negative errno. */
int rights__reduce(uint64_t kept);

/* No core dumps of this process, which may hold what its caller may not see. */
void rights__hide_memory(void);

/* Whether we may do more than our caller, whose environment is not to be believed then. */
bool rights__exceed_caller(void);

/* Those that are permitted; of these, what is in effect at rest and what settling keeps. */
uint64_t rights__permitted(void);
uint64_t rights__at_rest(uint64_t permitted);
uint64_t rights__kept(uint64_t permitted);

/* "BPF, PERFMON, 3 others"; cut to size. "none": no bits are set. */
void rights__describe(uint64_t rights, char *text, size_t size);

/* What settling installs, in a file of its own. 0 or negative errno. */
int rights_filter__install(void);

#endif
