/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compares two groups of values by their order alone: the test of Wilcoxon, Mann and Whitney, which
 * holds for any distribution, and the estimate of Hodges and Lehmann.
 */
#ifndef TOPSTACKS_DIFF_STATISTICS_RANKS_H
#define TOPSTACKS_DIFF_STATISTICS_RANKS_H

#include "base/common.h"

/*
 * The values of one side, one for each run. All functions but mean need positive values, and at
 * least one.
 */
struct run_values {
	double *values;
	size_t nr;
};

double run_values__mean(const struct run_values *values); /* 0: no values */

/*
 * The probability that chance alone puts new as far above factor times base as it is, or further.
 */
double ranks__p_above(const struct run_values *base, const struct run_values *new, double factor);

/* The median of all ratios of a new value to a base value. */
double ranks__ratio(const struct run_values *base, const struct run_values *new);

/* True if so many values can differ so clearly that ranks__p_above() is at most alpha. */
bool ranks__suffice(size_t nr_base, size_t nr_new, double alpha);

#endif
