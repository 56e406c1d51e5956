/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far samples scatter, learned from the course of a recording: the shares of one interval
 * against those of its neighbours. Independent samples give the steps of a multinomial; samples
 * that come in bursts give larger ones. Neighbours, because a program drifts and has phases, which
 * are no chance: where it clearly changes, nothing is learned.
 */
#ifndef TOPSTACKS_PROFILE_SCATTER_H
#define TOPSTACKS_PROFILE_SCATTER_H

#include "base/common.h"

#define MAX_INTERVALS	     40
#define MIN_INTERVAL_SAMPLES 20
#define LEAST_INTERVALS	     10 /* of one run: with fewer, a change cannot be told from chance */

/*
 * Joins neighbouring slices of a run to at most MAX_INTERVALS intervals of at least
 * MIN_INTERVAL_SAMPLES samples. ends[i] is the first slice after interval i; room for
 * MAX_INTERVALS. Returns their number.
 */
size_t join_slices(const double *totals, size_t nr_slices, size_t *ends);

/* The sum of squared steps between intervals, and the sum that independent samples would give. */
struct dispersion {
	double seen, expected;
};

/* Adds the nr - 1 steps of one unit: counts[i] of totals[i] samples in interval i. */
void dispersion__add(struct dispersion *sum, const double *counts, const double *totals, size_t nr);

/* The scatter of all units of a recording together. */
struct scatter {
	double factor; /* variance / that of independent samples; at least 1 */
	/* Degrees of freedom of the estimate; INFINITY: it is assumed, not learned. */
	double df;
};

/* The scatter to assume where only counts are known. */
struct scatter scatter__independent(void);

/* Learns the scatter: counts[u * nr + i] of the totals[i] samples of interval i are of unit u. */
struct scatter scatter__measure(const double *counts, size_t nr_units, const double *totals,
				size_t nr);

#endif
