/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits waits for file systems that may never answer: for a reader that is blocked, or a file that
 * cannot be opened. The work itself is not limited.
 *
 * Each failed wait halves the limit for the next files, so that all together take at most twice the
 * first limit.
 */
#ifndef TOPSTACKS_LINES_PATIENCE_H
#define TOPSTACKS_LINES_PATIENCE_H

#include "base/common.h"
#include "readers/readers.h"

struct patience {
	uint64_t limit_ns;
	uint64_t since_ns; /* CLOCK_MONOTONIC: when the reader last made progress; 0: never */
	uint64_t progress; /* its CPU time and questions by then */
};

struct patience patience__new(void);

/* Call it when a reader starts. */
void patience__begin(struct patience *patience);

/*
 * Whether a reader has been blocked for too long. Call it often. A reader that waits for a CPU
 * counts as running.
 */
bool patience__is_over(struct patience *patience, const struct reading *reading);

/* Notes a failed wait. */
void patience__lose(struct patience *patience);

#endif
