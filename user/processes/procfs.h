/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads /proc of living processes, and tells whose namespace /proc shows.
 *
 * Reading may block for ever: while a process executes a program, which another process can delay,
 * its stat, root, ns and maps cannot be read. So functions that read a start time, or follow a
 * root, are for openers (opener.h). The directory itself, and its cgroup, comm and status, never
 * block.
 */
#ifndef TOPSTACKS_PROCESSES_PROCFS_H
#define TOPSTACKS_PROCESSES_PROCFS_H

#include "base/common.h"

/* Returns an error and fills err if /proc is not mounted. */
int procfs__check(struct error *err);

/*
 * Whether /proc shows our own pid namespace. After `unshare --pid` without a new mount it does not:
 * then its pids are those of other processes.
 */
bool procfs__is_ours(void);

/* Whether /proc may show all processes: it is that of the kernel's first pid namespace. */
bool procfs__has_all(void);

/*
 * Opens an entry of a /proc directory, with the rights that we have to look at other processes.
 * Flags (O_CLOEXEC is added) and result as openat(2).
 */
int procfs__open_file(int process, const char *name, int flags);

/*
 * Opens /proc/PID of the process with this start time, in clock ticks since boot; *start_ticks 0:
 * any, and is then filled. The descriptor stays with this process: when it is gone, nothing is
 * found there, even if the pid is reused. -ESRCH: the process is gone, or another one has its pid.
 */
int procfs__open_born(int32_t pid, uint64_t *start_ticks);

/* Converts ns since boot to clock ticks. */
uint64_t procfs__ticks(uint64_t boottime_ns);
/* Converts ticks to ns since boot: the earliest time of such a start. */
uint64_t procfs__birth_ns(uint64_t ticks);
/* Whether both are the same start time, rounded up or down. */
bool procfs__same_start(uint64_t ticks, uint64_t other_ticks);

struct process_identity {
	uint32_t uid; /* effective, in our namespace */
	int32_t pid;  /* in its own pid namespace */
};

/* A directory, and the mount namespace that it is seen in. */
struct root_identity {
	uint64_t namespace;
	uint64_t device, inode;
};

/* The known facts of a living process. */
struct living {
	uint64_t start_ticks;		  /* its start time; 0: not known */
	struct process_identity identity; /* pid 0: not known */
	struct root_identity root;	  /* namespace 0: not known */
};

/* Fills in the other facts; start_ticks is set before. */
void procfs__look_at(int process, struct living *living);

/* The pid in its own namespace, by the text of a /proc/PID/status; 0 or less: it does not say. */
int32_t procfs__own_pid(const char *status);

/* Identifies a process's root. False: the process is gone, or we may not look. */
bool procfs__identify_root(int process, struct root_identity *root);

#endif
