// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPU time is compared with the bound window by window. The first window does not count: symbols
 * are read in it once, at any rate. A part of the cost does not depend on the rate, so one step may
 * not suffice; and since one window may be an outlier, no step lowers the rate below a quarter.
 */
#include "run/governor.h"

#include <math.h>

#define WINDOW_NS    2000000000ULL
#define MARGIN	     0.8 /* of the bound is aimed at */
#define LEAST_FACTOR 0.25
#define LEAST_HZ     1.0

static double lower(double rate_hz, double factor)
{
	double lowered = rate_hz * fmax(factor, LEAST_FACTOR);

	if (lowered > 10)
		lowered = floor(lowered);
	return fmin(rate_hz, fmax(lowered, LEAST_HZ));
}

double governor__rate(struct governor *governor, double rate_hz, uint64_t now_ns, uint64_t used_ns)
{
	uint64_t window_ns = now_ns - governor->since_ns;
	double share;

	if (governor->max_share <= 0)
		return rate_hz;
	if (governor->since_ns && window_ns < WINDOW_NS)
		return rate_hz;
	share = (double)(used_ns - governor->used_ns) / (double)window_ns;
	governor->since_ns = now_ns;
	governor->used_ns = used_ns;
	if (governor->nr_windows < 2) { /* this call begins the first window, or ends it */
		governor->nr_windows++;
		return rate_hz;
	}
	if (share <= governor->max_share)
		return rate_hz;
	return lower(rate_hz, governor->max_share * MARGIN / share);
}
