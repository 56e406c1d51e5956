/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Says when an interval is over, and when the run is. It is told what time it is (CLOCK_MONOTONIC).
 *
 * Each interval is planned to end one length after the one before was planned to, so that delays do
 * not add up. A change of length or rate ends the interval under way, and applies to the next one.
 */
#ifndef TOPSTACKS_RUN_INTERVAL_CLOCK_H
#define TOPSTACKS_RUN_INTERVAL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum interval_state {
	INTERVAL_RUNS,
	INTERVAL_WAITS, /* it would be over, but the output of the one before is not */
	INTERVAL_OVER,
	INTERVAL_LAST, /* the run is over with it */
};

struct interval_clock {
	double interval_s;	    /* 0: the run is one interval */
	uint64_t start_ns, last_ns; /* of the run; last_ns: UINT64_MAX: nobody knows */
	uint64_t end_ns, until_ns;  /* of the interval: as planned, and when to look again */
	double asked_hz, next_hz;   /* the rate asked for: of this interval, of the next */
	double lowered_hz; /* the rate that the bound of our cost allows; 0: as asked for */
	bool is_changed, has_new_rate;
	bool is_cut; /* in two: the rest of it ends as planned */
};

/*
 * The run begins, and its first interval. interval_s, duration_s: 0: without end. soon: whoever waits for
 * the first interval gets one of FIRST_INTERVAL_S, if the others are longer.
 */
#define FIRST_INTERVAL_S 0.8 /* so that it is shown within a second of the start */
void interval_clock__start(struct interval_clock *clock, uint64_t now_ns, double interval_s,
			   double duration_s, double rate_hz, bool soon);

/* The next interval begins. */
void interval_clock__next(struct interval_clock *clock, uint64_t now_ns);

/* From the next interval on; 0: as it is. */
void interval_clock__change(struct interval_clock *clock, double interval_s, double rate_hz);

/* The rate is lower than asked for from here on, until one is asked for anew. */
void interval_clock__lower(struct interval_clock *clock, double rate_hz);

/* The interval under way is over now, and the next one ends when this one would have. */
void interval_clock__cut(struct interval_clock *clock);

/*
 * is_busy: the interval before is still being written; this one grows meanwhile, to a new until_ns.
 */
enum interval_state interval_clock__look(struct interval_clock *clock, uint64_t now_ns,
					 bool is_busy);

/* When the feed is to cut the interval if nobody has time to look; 0: never. */
uint64_t interval_clock__cut_ns(const struct interval_clock *clock);

/* How much of the run is left; UINT64_MAX: nobody knows. */
uint64_t interval_clock__left_ns(const struct interval_clock *clock, uint64_t now_ns);

#endif
