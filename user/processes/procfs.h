/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What /proc knows of a process that lives, and whose /proc it is.
 *
 * Whoever reads of a process may wait for it for ever: while it executes a program, which another process
 * can hold up, nobody sees its stat, root, ns or maps. So all that finds out a birth, or follows a
 * root, is for openers (opener.h). The directory itself, and its cgroup, comm and status, wait for nobody.
 */
#ifndef TOPSTACKS_PROCESSES_PROCFS_H
#define TOPSTACKS_PROCESSES_PROCFS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Fills err if nothing is mounted there. */
int procfs__check(struct error *err);

/*
 * Whether /proc shows our own pid namespace. It does not after `unshare --pid` without a mount of
 * its own: then its numbers are those of other processes.
 */
bool procfs__is_ours(void);

/* Whether /proc may show every process: it is that of the kernel's first pid namespace. */
bool procfs__has_all(void);

/*
 * A file or directory in there, or what it leads to, with what rights we have to look at others.
 * openat(2)'s flags (O_CLOEXEC is added) and result.
 */
int procfs__open_file(int process, const char *name, int flags);

/*
 * /proc/PID of a process of this birth, in clock ticks since boot, which is told; 0: any. As a directory:
 * a descriptor of it stays with this process, and when that is gone it finds nothing, whoever has the pid
 * then. -ESRCH: it is gone, or its pid is somebody else's.
 */
int procfs__open_born(int32_t pid, uint64_t *start_ticks);

/* A time in ns since boot, in clock ticks. */
uint64_t procfs__ticks(uint64_t boottime_ns);
/* And back: when such a birth was at the earliest. */
uint64_t procfs__birth_ns(uint64_t ticks);
/* Both are the same birth, whichever way they were rounded. */
bool procfs__same_start(uint64_t ticks, uint64_t other_ticks);

struct process_identity {
	uint32_t uid; /* effective, as we see it */
	int32_t pid;  /* as it sees itself, in its own pid namespace */
};

/* A directory in a mount namespace. */
struct root_identity {
	uint64_t namespace;
	uint64_t device, inode;
};

/* Of a living process, told as far as it is known. */
struct living {
	uint64_t start_ticks;		  /* of its birth; 0: not known */
	struct process_identity identity; /* pid 0: not known */
	struct root_identity root;	  /* namespace 0: not known */
};

/* The rest of one whose birth is known. */
void procfs__look_at(int process, struct living *living);

/* False: gone, or not for us. */
bool procfs__identify_root(int process, struct root_identity *root);

#endif
