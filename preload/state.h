/* SPDX-License-Identifier: GPL-2.0-only */
/* The global state of the library, as it has no main() to hold it. */
#ifndef TOPSTACKS_PRELOAD_STATE_H
#define TOPSTACKS_PRELOAD_STATE_H

#include "gaps.h"
#include "marks.h"

struct thread_state {
	struct gaps gaps;
	bool is_busy; /* handles a sample: allocations of a signal handler meanwhile are not
		       * sampled */
};

/* Not visible to other files, so each is at a fixed distance. */
#define OURS __attribute__((visibility("hidden")))

extern OURS _Thread_local struct thread_state thread_state;

extern OURS struct marks marks;

extern OURS uint64_t nr_told; /* blocks reported by all threads */

#endif
