/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The thread of the live view. Sampling and symbolization run in their own thread and never wait
 * for this one. An interval is copied and handed over. If it has not been taken yet, the next one
 * becomes longer. This thread owns the terminal, the pictures and the keys, and never waits for the
 * other one either.
 */
#ifndef TOPSTACKS_LIVE_VIEWER_H
#define TOPSTACKS_LIVE_VIEWER_H

#include "base/common.h"
#include "run/display.h"
#include "views/views.h"

struct viewer_options {
	enum merge merge;
	bool by_thread; /* threads are sampled separately */
	enum errors errors;
	bool all_waits; /* waits for work are not folded into a row at first */
	bool color;
	const char *event; /* as in struct capture_options */
	double interval_s, rate_hz;
};

/* True if standard input and output are a terminal that can be drawn on. */
bool viewer__is_possible(void);

/*
 * The live view as the display of a run. The options are borrowed until it is opened. Opening
 * blocks SIGTSTP, SIGCONT and SIGWINCH in the calling thread, and in threads that it starts later:
 * the view handles them.
 */
struct display viewer__display(const struct viewer_options *options);

#endif
