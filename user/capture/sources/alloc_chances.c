// SPDX-License-Identifier: GPL-2.0-only
#include "capture/sources/alloc_chances.h"

#include <math.h>

static double quantile(unsigned int part)
{
	return -log1p(-(double)part / CHANCES_GAPS);
}

/*
 * Returns the mean of the interpolated distribution, by which gaps are scaled: straight lines
 * between quantiles lie a little above the curve.
 */
static double mean_of_parts(void)
{
	double sum = quantile(CHANCES_GAPS - 1);

	for (unsigned int i = 0; i < CHANCES_GAPS - 1; i++)
		sum += (quantile(i) + quantile(i + 1)) / 2;
	return sum / (CHANCES_GAPS - 1); /* the last part draws anew */
}

void alloc_chances__fill(struct alloc_chances *chances, uint64_t mean)
{
	const double gap = (double)mean / mean_of_parts();
	const double unit = (double)mean * (1 << CHANCES_SHIFT);

	chances->mean = mean;
	for (unsigned int i = 0; i < CHANCES_GAPS; i++)
		chances->gaps[i] = (uint64_t)llround(gap * quantile(i));
	chances->weights[0] = (uint64_t)llround(unit);
	for (unsigned int i = 1; i < CHANCES_NR; i++) {
		const double size = (double)i / CHANCES_STEPS;

		chances->weights[i] = (uint64_t)llround(unit * size / -expm1(-size));
	}
}
