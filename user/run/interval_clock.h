/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When an interval is over, and the run: pure, it is told what time it is (CLOCK_MONOTONIC).
 *
 * Intervals follow a grid, so that late ones do not add up: each is planned to end one length after
 * the one before was. Whatever is changed meanwhile (length, rate) ends the interval under way and
 * is in force from the next one on.
 */
#ifndef TOPSTACKS_RUN_INTERVAL_CLOCK_H
#define TOPSTACKS_RUN_INTERVAL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum interval_state {
	INTERVAL_RUNS,
	INTERVAL_WAITS, /* it is over, but for the output of the one before: until_ns is a new one */
	INTERVAL_OVER,
	INTERVAL_LAST, /* the run is over with it */
};

struct interval_clock {
	double interval_s;	    /* 0: the run is one interval */
	uint64_t start_ns, last_ns; /* of the run; last_ns: UINT64_MAX: nobody knows */
	uint64_t end_ns, until_ns;  /* of the interval: as planned, and when to look again */
	double asked_hz, next_hz;   /* the rate asked for: of this interval, of the next */
	bool is_changed;
};

/* interval_s, duration_s: 0: none. The first interval begins. */
void interval_clock__start(struct interval_clock *clock, uint64_t now_ns, double interval_s,
			   double duration_s, double rate_hz);

/* The next interval begins. */
void interval_clock__next(struct interval_clock *clock, uint64_t now_ns);

/* 0: as it is. */
void interval_clock__change(struct interval_clock *clock, double interval_s, double rate_hz);

/* is_busy: the output of the interval before is still under way; this one grows meanwhile. */
enum interval_state interval_clock__look(struct interval_clock *clock, uint64_t now_ns,
					 bool is_busy);

/* Where the interval is to be cut if nobody has time to look; 0: nowhere. */
uint64_t interval_clock__cut_ns(const struct interval_clock *clock);

/* Of the run; UINT64_MAX: nobody knows. */
uint64_t interval_clock__left_ns(const struct interval_clock *clock, uint64_t now_ns);

#endif
