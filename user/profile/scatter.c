// SPDX-License-Identifier: GPL-2.0-only
#include "profile/scatter.h"

#include <math.h>

size_t join_slices(const double *totals, size_t nr_slices, size_t *ends)
{
	double sum = 0, wanted, open = 0;
	size_t nr = 0;

	for (size_t i = 0; i < nr_slices; i++)
		sum += totals[i];
	wanted = fmax(sum / MAX_INTERVALS, MIN_INTERVAL_SAMPLES);
	for (size_t i = 0; i < nr_slices; i++) {
		open += totals[i];
		if (open >= wanted && nr < MAX_INTERVALS) {
			ends[nr++] = i + 1;
			open = 0;
		}
	}
	if (nr)
		ends[nr - 1] = nr_slices;
	return nr;
}

void dispersion__add(struct dispersion *sum, const double *counts, const double *totals, size_t nr)
{
	for (size_t i = 0; i + 1 < nr; i++) {
		double step = counts[i + 1] / totals[i + 1] - counts[i] / totals[i];
		double p = (counts[i] + counts[i + 1]) / (totals[i] + totals[i + 1]);

		sum->seen += step * step;
		sum->expected += p * (1 - p) * (1 / totals[i] + 1 / totals[i + 1]);
	}
}

struct scatter scatter__independent(void)
{
	return (struct scatter){.factor = 1, .df = INFINITY};
}

/* Of the shares of all units: sums of their powers. */
struct powers {
	double square, cube;
};

static void add_powers(struct powers *powers, const double *counts, const double *totals, size_t nr)
{
	double count = 0, total = 0, share;

	for (size_t i = 0; i < nr; i++) {
		count += counts[i];
		total += totals[i];
	}
	share = count / total;
	powers->square += share * share;
	powers->cube += share * share * share;
}

/*
 * The degrees of freedom of a sum of squares with the covariances of a multinomial, tr(C)^2 / tr(C^2),
 * times those of nr - 1 steps, of which neighbours have an interval in common. There is one at least, which
 * rounding may hide where one unit is all but everything.
 */
static double count_df(const struct powers *powers, size_t nr)
{
	const double trace = 1 - powers->square;
	const double squared = powers->square - 2 * powers->cube + powers->square * powers->square;
	const double steps = (double)nr - 1;

	return fmax(trace * trace / squared * 2 * steps * steps / (3 * steps - 1), 1);
}

struct scatter scatter__measure(const double *counts, size_t nr_units, const double *totals,
				size_t nr)
{
	struct dispersion sum = {0};
	struct powers powers = {0};

	if (nr < 2)
		return scatter__independent();
	for (size_t u = 0; u < nr_units; u++) {
		dispersion__add(&sum, counts + u * nr, totals, nr);
		add_powers(&powers, counts + u * nr, totals, nr);
	}
	if (sum.seen <= sum.expected)
		return scatter__independent();
	return (struct scatter){.factor = sum.seen / sum.expected, .df = count_df(&powers, nr)};
}
