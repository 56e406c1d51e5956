/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When processes end. The kernel tells of each thread that exits; a process has ended when the last
 * one has, which need not be the leader, whose exit alone is told by a record of its own.
 *
 * Of a process that began under our eyes and made no thread the leader's exit is the end. Of all
 * others /proc is asked, until it says so.
 */
#ifndef TOPSTACKS_CAPTURE_TASKS_PROCESS_ENDS_H
#define TOPSTACKS_CAPTURE_TASKS_PROCESS_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

struct process_ends {
	struct map single;     /* pids: have one thread, for certain */
	struct map leaderless; /* pids: their leader has exited; perhaps others have not */
};

/* 0 or -ENOMEM. */
int process_ends__init(struct process_ends *ends);
/* Zeroed is fine. */
void process_ends__fini(struct process_ends *ends);

/* A process began. True: one that had its id before must have ended, and nobody was told. */
bool process_ends__forked(struct process_ends *ends, int32_t pid);

/* It made a thread. */
void process_ends__cloned(struct process_ends *ends, int32_t pid);

/* It has one thread from here on, which is its leader, whoever that was before. */
void process_ends__execed(struct process_ends *ends, int32_t pid);

/* Its leader exited. True: the process has ended; false: that is found out later. */
bool process_ends__leader_exited(struct process_ends *ends, int32_t pid);

/* Tells of those that have ended meanwhile. */
void process_ends__collect(struct process_ends *ends, void (*on_end)(void *context, int32_t pid),
			   void *context);

/* Records were lost: anybody may have made a thread. */
void process_ends__doubt(struct process_ends *ends);

#endif
