/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The live view's thread. Sampling and naming go on in their own thread and never wait for this
 * one: an interval is copied and handed over; one that has not been taken yet makes the next one
 * longer. This thread owns the terminal, the pictures and the keys, and waits for nobody either.
 */
#ifndef TOPSTACKS_LIVE_VIEWER_H
#define TOPSTACKS_LIVE_VIEWER_H

#include <stdbool.h>

#include "run/display.h"
#include "views/views.h"

struct viewer_options {
	enum merge merge;
	bool by_thread; /* threads are sampled apart */
	enum errors errors;
	bool all_waits; /* those for work are no row of their own in the beginning */
	bool color;
	const char *event; /* as in struct capture_options */
	double interval_s, rate_hz;
};

/* Standard input and output are a terminal that can be drawn on. */
bool viewer__is_possible(void);

/*
 * The view as a run sees it; options are borrowed until it is opened. Opening blocks SIGTSTP,
 * SIGCONT and SIGWINCH in the calling thread, and so in those it starts later: they are the view's.
 */
struct display viewer__display(const struct viewer_options *options);

#endif
