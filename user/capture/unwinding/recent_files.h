/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that processes have mapped recently, according to events. They tell what a sampled process
 * has run that ended since, so that the next process of its kind has tables from its first sample.
 */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_RECENT_FILES_H
#define TOPSTACKS_CAPTURE_UNWINDING_RECENT_FILES_H

#include "base/common.h"
#include "processes/process.h"

#define NR_ARRIVALS 1024

struct unwind_arrival {
	int32_t pid;		/* 0: none */
	struct mapping mapping; /* path is owned */
};

struct unwind_arrivals {
	struct unwind_arrival ring[NR_ARRIVALS];
	size_t next;
	struct map known; /* parts of files that were handed out */
};

/* 0 or -ENOMEM. */
int unwind_arrivals__init(struct unwind_arrivals *arrivals);
void unwind_arrivals__fini(struct unwind_arrivals *arrivals); /* zeroed is fine */

/* Notes a new executable mapping for a while, unless its file was handed out before. */
void unwind_arrivals__note(struct unwind_arrivals *arrivals, int32_t pid,
			   const struct mapping *mapping);

/* Hands out the files that a process had mapped, each file once in a session. */
void unwind_arrivals__each(struct unwind_arrivals *arrivals, int32_t pid,
			   void (*on_mapping)(void *context, const struct mapping *mapping),
			   void *context);

#endif
