// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPU time is compared with the bound window by window. The first window does not count: symbols
 * are read in it once, at any rate. A part of the cost does not depend on the rate, so one step may
 * not suffice; and since one window may be an outlier, no step leaves less than a quarter.
 *
 * The period of what is counted grows by powers of two, up to where samples are so rare that the programs
 * which only count what happens are all that is left of their cost.
 */
#include "run/governor.h"

#include <math.h>

#define WINDOW_NS    2000000000ULL
#define MARGIN	     0.8 /* of the bound is aimed at */
#define LEAST_FACTOR 0.25
#define LEAST_HZ     1.0
#define LARGEST	     65536 /* one in so many */

static double lower(double rate_hz, double factor)
{
	double lowered = rate_hz * fmax(factor, LEAST_FACTOR);

	if (lowered > 10)
		lowered = floor(lowered);
	return fmin(rate_hz, fmax(lowered, LEAST_HZ));
}

static uint64_t raise(uint64_t one_in, double factor)
{
	const double wanted = (double)one_in / fmax(factor, LEAST_FACTOR);
	uint64_t raised = one_in;

	while (raised && (double)raised < wanted && raised < LARGEST)
		raised *= 2;
	return raised;
}

struct pace governor__pace(struct governor *governor, struct pace pace, uint64_t now_ns,
			   uint64_t used_ns)
{
	uint64_t window_ns = now_ns - governor->since_ns;
	double share, factor;

	if (governor->max_share <= 0)
		return pace;
	if (governor->since_ns && window_ns < WINDOW_NS)
		return pace;
	share = (double)(used_ns - governor->used_ns) / (double)window_ns;
	governor->since_ns = now_ns;
	governor->used_ns = used_ns;
	if (governor->nr_windows < 2) { /* this call begins the first window, or ends it */
		governor->nr_windows++;
		return pace;
	}
	if (share <= governor->max_share)
		return pace;
	factor = governor->max_share * MARGIN / share;
	return (struct pace){lower(pace.rate_hz, factor), raise(pace.one_in, factor)};
}
