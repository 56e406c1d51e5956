/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Controls which capabilities are in effect, and when.
 *
 * At rest only rights are in effect that the caller has anyway: for root its rights on files, for
 * other users none. So files that the caller names are opened with the caller's rights without
 * further care. Other rights that sampling needs are raised around the calls that need them:
 *
 *	const uint64_t before = rights__raise(RIGHTS_TO_LOOK);
 *	fd = open(path, O_RDONLY | O_CLOEXEC);
 *	rights__restore(before);
 *
 * Each thread has its own sets; a new thread begins with those of the thread that starts it.
 */
#ifndef TOPSTACKS_BASE_SYSTEM_RIGHTS_H
#define TOPSTACKS_BASE_SYSTEM_RIGHTS_H

#include "base/common.h"

/* from include/uapi/linux/capability.h; older headers lack the last ones */
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

/* For bpf(), perf_event_open() and their memory, which counted against limits before 5.11. */
#define RIGHTS_TO_SAMPLE (RIGHT_BPF | RIGHT_PERFMON | RIGHT_IPC_LOCK | RIGHT_SYS_RESOURCE)
/* For perf_event_open(): Debian's kernels require CAP_SYS_ADMIN if perf_event_paranoid is 3. */
#define RIGHTS_TO_OPEN_EVENTS (RIGHTS_TO_SAMPLE | RIGHT_SYS_ADMIN)
/*
 * For uprobes: up to 6.16 CAP_PERFMON suffices (until ba677dbe77af, which late releases of older
 * kernels have, too).
 */
#define RIGHTS_TO_PROBE RIGHT_SYS_ADMIN
/* To read of other processes: /proc/PID, and their mapped files. */
#define RIGHTS_TO_LOOK (RIGHT_SYS_PTRACE | RIGHT_DAC_READ_SEARCH | RIGHT_CHECKPOINT_RESTORE)
/* To read addresses in /proc/kallsyms. */
#define RIGHTS_TO_NAME_KERNEL RIGHT_SYSLOG
/* To raise the priority. */
#define RIGHTS_TO_HURRY RIGHT_SYS_NICE
/* To switch to another user, in a process forked for that. */
#define RIGHTS_TO_BECOME (RIGHT_SETUID | RIGHT_SETGID)
/*
 * To switch to an unprivileged user in an empty directory, for a process that reads untrusted
 * bytes.
 */
#define RIGHTS_TO_CONFINE (RIGHTS_TO_BECOME | RIGHT_SYS_CHROOT)

/*
 * Call this first in a program: puts out of effect all rights that the caller does not have. A
 * set-user-ID program switches back to the caller's user. 0 or negative errno; then the program
 * must end.
 */
int rights__init(void);

/*
 * Raises the permitted ones of these rights in this thread. CAP_SYS_ADMIN replaces rights that it
 * includes. Returns the rights in effect before, for rights__restore().
 */
uint64_t rights__raise(uint64_t wanted);
void rights__restore(uint64_t before);

/*
 * Gives up for good all rights that are not in effect at rest, and those that an exec could bring.
 * Root keeps what it needs to confine its helpers.
 */
void rights__give_up(void);

/*
 * Gives up for good all rights that no step after the start of sampling needs. Call it before the
 * first thread, and when no command will be executed any more: exec, ptrace, sockets, mounts and
 * the like are refused from now on (see syscall_filter.c), also to children. needed: additional
 * rights to keep.
 */
void rights__settle(uint64_t needed);

/* Gives up for good all other rights, and puts these in effect. 0 or negative errno. */
int rights__reduce(uint64_t kept);

/* Disables core dumps of this process, which may hold data that its caller may not see. */
void rights__hide_memory(void);

/* Whether we have more rights than our caller; then its environment is not trusted. */
bool rights__exceed_caller(void);

/* The permitted rights; those of them in effect at rest; those that rights__settle() keeps. */
uint64_t rights__permitted(void);
uint64_t rights__at_rest(uint64_t permitted);
uint64_t rights__kept(uint64_t permitted);

/* Writes "BPF, PERFMON, 3 others", cut to size; "none" if no bits are set. */
void rights__describe(uint64_t rights, char *text, size_t size);

/* Installs the filter of rights__settle(). 0 or negative errno. */
int rights_filter__install(void);

#endif
