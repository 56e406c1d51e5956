/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interval clock says when an interval and the run are over. Callers pass the time
 * (CLOCK_MONOTONIC).
 *
 * Each interval is planned to end one length after the planned end of the one before, so that
 * delays do not add up. A change of length or rate ends the interval under way, and applies to the
 * next one.
 */
#ifndef TOPSTACKS_RUN_INTERVAL_CLOCK_H
#define TOPSTACKS_RUN_INTERVAL_CLOCK_H

#include "base/common.h"

enum interval_state {
	INTERVAL_RUNS,
	INTERVAL_WAITS, /* its time is over, but the output of the interval before is still busy */
	INTERVAL_OVER,
	INTERVAL_LAST, /* the run ends with this interval */
};

struct interval_clock {
	double interval_s;	    /* 0: the run is one interval */
	uint64_t start_ns, last_ns; /* of the run; last_ns: UINT64_MAX: no end is known */
	uint64_t end_ns, until_ns;  /* of the interval: planned end, and when to look again */
	double asked_hz, next_hz;   /* rate asked for: in this interval, in the next one */
	bool is_changed, has_new_rate;

	/* Set by the caller. */
	double lowered_hz; /* until a new rate: what the bound of our cost allows; 0: as asked */
	bool is_cut;	   /* the interval ends now; the next one ends when this one would have */
};

/*
 * Starts the run and its first interval. interval_s, duration_s: 0: without end. soon: if intervals
 * are longer than FIRST_INTERVAL_S, the first one is cut to that, so that the view shows something
 * early.
 */
#define FIRST_INTERVAL_S 0.8 /* shown within a second of the start */
void interval_clock__start(struct interval_clock *clock, uint64_t now_ns, double interval_s,
			   double duration_s, double rate_hz, bool soon);

/* Begins the next interval. */
void interval_clock__next(struct interval_clock *clock, uint64_t now_ns);

/* Changes length and rate from the next interval on; 0: unchanged. */
void interval_clock__change(struct interval_clock *clock, double interval_s, double rate_hz);

/*
 * Returns the state of the interval. is_busy: the output of the interval before is still being
 * written, so this interval goes on to a new until_ns.
 */
enum interval_state interval_clock__look(struct interval_clock *clock, uint64_t now_ns,
					 bool is_busy);

/* When the sampler cuts the interval if the recorder is late; 0: never, or it ends with the run. */
uint64_t interval_clock__cut_ns(const struct interval_clock *clock);

/* The time left of the run; UINT64_MAX: not known. */
uint64_t interval_clock__left_ns(const struct interval_clock *clock, uint64_t now_ns);

#endif
