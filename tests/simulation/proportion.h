/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_TESTS_PROPORTION_H
#define TOPSTACKS_TESTS_PROPORTION_H

#define MATHLIB_STANDALONE
#include <Rmath.h>

/*
 * Exact interval for a proportion of which hits of trials were seen: the true one lies below *low
 * (above *high) with probability (1 - confidence) / 2 at most. C. J. Clopper, E. S. Pearson,
 * Biometrika 26 (1934) 404; in terms of beta quantiles.
 */
static inline void clopper_pearson(double hits, double trials, double confidence, double *low,
				   double *high)
{
	double tail = (1 - confidence) / 2;

	*low = hits > 0 ? qbeta(tail, hits, trials - hits + 1, 1, 0) : 0;
	*high = hits < trials ? qbeta(tail, hits + 1, trials - hits, 0, 0) : 1;
}

static inline double percent(unsigned int hits, unsigned int all)
{
	return all ? 100.0 * hits / all : 0;
}

#endif
