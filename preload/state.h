/* SPDX-License-Identifier: GPL-2.0-only */
/* What the library keeps, as the one part of the tree that has no main() to keep it. */
#ifndef TOPSTACKS_PRELOAD_STATE_H
#define TOPSTACKS_PRELOAD_STATE_H

#include "gaps.h"
#include "marks.h"

struct thread_state {
	struct gaps gaps;
	bool is_busy; /* with a sample: what allocates meanwhile, in a handler of a signal, is none */
};

/* Nobody else has these, so each is a fixed distance away. */
#define OURS __attribute__((visibility("hidden")))

extern OURS _Thread_local struct thread_state thread_state;

extern OURS struct marks marks;

extern OURS uint64_t nr_told; /* blocks, by all threads */

#endif
