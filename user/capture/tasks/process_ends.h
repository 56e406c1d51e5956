/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Detects the end of processes. The kernel records the exit of each thread; a process has ended
 * when its last thread has, which need not be the leader, and only the leader's exit has a record
 * that we keep.
 *
 * If a process was seen to begin and made no thread, the leader's exit is its end. For all others
 * /proc is polled.
 */
#ifndef TOPSTACKS_CAPTURE_TASKS_PROCESS_ENDS_H
#define TOPSTACKS_CAPTURE_TASKS_PROCESS_ENDS_H

#include "base/common.h"

struct process_ends {
	struct map single;     /* pids of processes with surely one thread */
	struct map leaderless; /* pids whose leader has exited; other threads may remain */
};

/* 0 or -ENOMEM. */
int process_ends__init(struct process_ends *ends);
/* Zeroed is fine. */
void process_ends__fini(struct process_ends *ends);

/*
 * Notes a new process. Returns true if an earlier process with this id must have ended unnoticed.
 */
bool process_ends__forked(struct process_ends *ends, int32_t pid);

/* Notes that the process made a thread. */
void process_ends__cloned(struct process_ends *ends, int32_t pid);

/* Notes an exec: the process now has one thread, which is its leader. */
void process_ends__execed(struct process_ends *ends, int32_t pid);

/*
 * Notes the leader's exit. Returns true if the process has ended; false: collect finds out later.
 */
bool process_ends__leader_exited(struct process_ends *ends, int32_t pid);

/* Reports the processes that have ended since the last call. */
void process_ends__collect(struct process_ends *ends, void (*on_end)(void *context, int32_t pid),
			   void *context);

/* Call it when records were lost: any process may have made a thread unnoticed. */
void process_ends__doubt(struct process_ends *ends);

#endif
