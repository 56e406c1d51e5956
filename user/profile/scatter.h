/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far samples scatter, learned from the course of a recording: the shares of one interval against
 * those of its neighbours. Independent samples give the steps of a multinomial; those that come in bursts
 * give larger ones. Neighbours, because a program drifts and has phases, which are what it does and no
 * chance: where it changes clearly, nothing is learned.
 */
#ifndef TOPSTACKS_PROFILE_SCATTER_H
#define TOPSTACKS_PROFILE_SCATTER_H

#include <stddef.h>

#define MAX_INTERVALS	     40
#define MIN_INTERVAL_SAMPLES 20
#define LEAST_INTERVALS	     10 /* of one run: of fewer, nobody can tell a change from chance */

/*
 * Joins neighbouring slices of a run to at most MAX_INTERVALS intervals of at least
 * MIN_INTERVAL_SAMPLES samples. ends[i] is the first slice after interval i; room for
 * MAX_INTERVALS. Returns their number.
 */
size_t join_slices(const double *totals, size_t nr_slices, size_t *ends);

/* Squared steps from interval to interval, and what independent samples would give. */
struct dispersion {
	double seen, expected;
};

/* Adds the nr - 1 steps of one unit: counts[i] of totals[i] samples in interval i. */
void dispersion__add(struct dispersion *sum, const double *counts, const double *totals, size_t nr);

/* Of all units of a recording together. */
struct scatter {
	double factor; /* of the variance of independent samples, at least 1 */
	double df; /* the degrees of freedom that it was learned with; INFINITY: it is assumed */
};

/* Where nothing is known but counts. */
struct scatter scatter__independent(void);

/* counts[u * nr + i] of totals[i] samples are of unit u in interval i. */
struct scatter scatter__measure(const double *counts, size_t nr_units, const double *totals,
				size_t nr);

#endif
