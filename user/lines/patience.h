/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long somebody waits for file systems that may never answer: for a reader that does not run, or
 * a file that is not opened. The work itself takes as long as it takes.
 *
 * Each file that was waited for in vain halves what the next ones get, so that all of them together
 * take twice what the first one did.
 */
#ifndef TOPSTACKS_LINES_PATIENCE_H
#define TOPSTACKS_LINES_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "readers/readers.h"

struct patience {
	uint64_t limit_ns;
	uint64_t since_ns; /* CLOCK_MONOTONIC: when the reader was last seen to run; 0: never */
	uint64_t progress; /* CPU time and questions of it by then */
};

struct patience patience__new(void);

/* A reader was started: it has got all that there is. */
void patience__begin(struct patience *patience);

/* Whether a reader has not run for too long. To be asked often. One that waits for a CPU does run. */
bool patience__is_over(struct patience *patience, const struct reading *reading);

/* It was waited for in vain. */
void patience__lose(struct patience *patience);

#endif
