// SPDX-License-Identifier: GPL-2.0-only
#include "diff/statistics/ranks.h"

#include <math.h>

#include "diff/statistics/statistics.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>

/* For larger groups the exact distribution is not worth its cost; R has the same limit. */
#define MAX_EXACT 49

/* P(U <= pairs), if all orders are equally likely. U is the number of pairs in the wrong order. */
static double probability(double pairs, double nr_base, double nr_new)
{
	const double mean = nr_base * nr_new / 2;
	const double variance = mean * (nr_base + nr_new + 1) / 6;
	double p;

	if (fmax(nr_base, nr_new) > MAX_EXACT)
		return pnorm((pairs + 0.5 - mean) / sqrt(variance), 0, 1, 1, 0);
	p = pwilcox(pairs, nr_base, nr_new, 1, 0);
	wilcox_free();
	return p;
}

double run_values__mean(const struct run_values *values)
{
	double sum = 0;

	for (size_t i = 0; i < values->nr; i++)
		sum += values->values[i];
	return values->nr ? sum / (double)values->nr : 0;
}

/* Equal values count as wrong order, so that they are no evidence. */
double ranks__p_above(const struct run_values *base, const struct run_values *new, double factor)
{
	double pairs = 0;

	for (size_t b = 0; b < base->nr; b++) {
		for (size_t n = 0; n < new->nr; n++)
			pairs += new->values[n] <= factor * base->values[b];
	}
	return probability(pairs, (double)base->nr, (double)new->nr);
}

double ranks__ratio(const struct run_values *base, const struct run_values *new)
{
	double *ratios = xcalloc(base->nr * new->nr, sizeof(*ratios)), ratio;
	size_t nr = 0;

	for (size_t b = 0; b < base->nr; b++)
		for (size_t n = 0; n < new->nr; n++)
			ratios[nr++] = new->values[n] / base->values[b];
	ratio = median(ratios, nr);
	free(ratios);
	return ratio;
}

bool ranks__suffice(size_t nr_base, size_t nr_new, double alpha)
{
	return nr_base && nr_new && probability(0, (double)nr_base, (double)nr_new) <= alpha;
}
