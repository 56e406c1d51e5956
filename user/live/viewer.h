/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The live view's thread. Sampling and naming go on in their own thread and never wait for this
 * one: an interval is copied and handed over; one that has not been taken yet makes the next one
 * longer. This thread owns the terminal, the pictures and the keys, and waits for nobody either.
 */
#ifndef TOPSTACKS_LIVE_VIEWER_H
#define TOPSTACKS_LIVE_VIEWER_H

#include <stdbool.h>

#include "run/session.h"
#include "views/views.h"

struct viewer;

struct viewer_options {
	enum merge merge;
	bool by_thread; /* threads are sampled apart */
	bool color;
	double interval_s, rate_hz;
	unsigned int nr_cpus; /* that are sampled */
};

/* Standard input and output are a terminal that can be drawn on. */
bool viewer__is_possible(void);

/*
 * Takes over the terminal. Blocks SIGTSTP, SIGCONT and SIGWINCH in the calling thread, and so in
 * those it starts later: they are this one's. 0, or negative errno with err filled.
 */
int viewer__open(struct viewer **viewer, const struct viewer_options *options, struct error *err);

/* The interval before has not been taken yet. */
bool viewer__is_busy(struct viewer *viewer);

/* CPU time that the view took since it was last asked. */
uint64_t viewer__take_time_ns(struct viewer *viewer);

/* Hands over a copy. 0 or -ENOMEM. */
int viewer__show(struct viewer *viewer, const struct interval *interval);

/* What keys have asked for; the descriptor is readable when there is something. */
int viewer__request_fd(const struct viewer *viewer);
void viewer__take_request(struct viewer *viewer, struct session_request *request);

/* Nothing will follow. Returns when the user has seen enough, or with a signal. */
void viewer__wait(struct viewer *viewer);

/* Gives the terminal back, whatever it is doing. NULL is fine. 0, or what went wrong meanwhile. */
int viewer__close(struct viewer *viewer, struct error *err);

#endif
