// SPDX-License-Identifier: GPL-2.0-only
#include "profile/scatter.h"

#include <math.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

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

/* ---- telling chance from a program's own changes ---- */

#define MOST_CONTRAST 3
#define FALSE_CHANGE  0.02 /* part of steady recordings in which a change is wrongly seen */
#define LEAST_KEPT    0.15 /* of all bends: if fewer are kept, frequent changes are scatter */

/*
 * Compares the shares of neighbouring intervals: the sum of each share times its factor. The
 * factors add up to 0.
 */
struct contrast {
	double factors[MOST_CONTRAST];
	size_t nr;
};

/*
 * The step from one interval to the next; or the distance from the line between the neighbours,
 * which is 0 in a slow drift.
 */
static const struct contrast step_off = {{-1, 1}, 2}, bend_off = {{-0.5, 1, -0.5}, 3};

/*
 * One contrast, summed over all units: squares as seen, and as independent samples would give them.
 */
struct bend {
	double seen;
	double expected;     /* with the shares of the whole window */
	double own;	     /* with each interval's own shares */
	double noise;	     /* the variance of a contrast is noise * p (1 - p) */
	double square, cube; /* sums of powers of the shares */
	bool is_change;
};

struct bends {
	struct bend of[MAX_INTERVALS];
	size_t nr;
	const struct contrast *window;
};

static void add_bend(struct bend *bend, const struct contrast *window, const double *counts,
		     const double *totals)
{
	double count = 0, total = 0, off = 0, share;

	for (size_t i = 0; i < window->nr; i++) {
		const double own = counts[i] / totals[i];
		const double square = window->factors[i] * window->factors[i];

		count += counts[i];
		total += totals[i];
		off += window->factors[i] * own;
		bend->own += square * own * (1 - own) / fmax(totals[i] - 1, 1);
	}
	share = count / total;
	bend->seen += off * off;
	bend->expected += share * (1 - share) * bend->noise;
	bend->square += share * share;
	bend->cube += share * share * share;
}

static void find_bends(struct bends *bends, const double *counts, size_t nr_units,
		       const double *totals, size_t nr)
{
	const struct contrast *window = nr < LEAST_INTERVALS ? &step_off : &bend_off;

	*bends = (struct bends){.nr = nr + 1 - window->nr, .window = window};
	for (size_t i = 0; i < bends->nr; i++) {
		for (size_t j = 0; j < window->nr; j++)
			bends->of[i].noise +=
				window->factors[j] * window->factors[j] / totals[i + j];
		for (size_t u = 0; u < nr_units; u++)
			add_bend(&bends->of[i], window, counts + u * nr + i, totals + i);
	}
}

/*
 * The degrees of freedom of a sum of squares with the covariances of a multinomial are tr(C)^2 /
 * tr(C^2). They are at least 1; rounding may give less where one unit has nearly all samples.
 */
static double trace_squared(const struct bend *bend)
{
	return bend->noise * bend->noise *
	       (bend->square - 2 * bend->cube + bend->square * bend->square);
}

static double bend_df(const struct bend *bend)
{
	return fmax(bend->expected * bend->expected / trace_squared(bend), 1);
}

/*
 * Bends with common intervals are correlated: returns the number of independent bends that they are
 * worth.
 */
static double independent_bends(const struct contrast *window, double nr)
{
	return window->nr == 2 ? 2 * nr * nr / (3 * nr - 1) : 18 * nr * nr / (35 * nr - 18);
}

static int compare_numbers(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* 0 if nothing was seen, also where nothing was expected. */
static double ratio_of(double seen, double expected)
{
	return seen > 0 ? seen / expected : 0;
}

/*
 * Estimates the scatter by the median, which few changes do not move; it is half as efficient as
 * the mean.
 */
static struct scatter guess(const struct bends *bends)
{
	const size_t middle = bends->nr / 2;
	double ratios[MAX_INTERVALS], df = 0, median;

	for (size_t i = 0; i < bends->nr; i++) {
		ratios[i] = ratio_of(bends->of[i].seen, bends->of[i].expected);
		df += bend_df(&bends->of[i]) / (double)bends->nr;
	}
	qsort(ratios, bends->nr, sizeof(*ratios), compare_numbers);
	median = bends->nr % 2 ? ratios[middle] : (ratios[middle - 1] + ratios[middle]) / 2;
	return (struct scatter){
		.factor = fmax(median * df / qchisq(0.5, df, 1, 0), 1),
		.df = fmax(df * independent_bends(bends->window, (double)bends->nr) / 2, 1),
	};
}

/* Estimates the scatter from all bends that are no changes. */
static struct scatter sum_up(const struct bends *bends)
{
	double seen = 0, expected = 0, squared = 0, kept = 0;

	for (size_t i = 0; i < bends->nr; i++) {
		const struct bend *bend = &bends->of[i];

		if (bend->is_change)
			continue;
		seen += bend->seen;
		expected += bend->expected;
		squared += trace_squared(bend);
		kept++;
	}
	if (seen <= expected)
		return scatter__independent();
	return (struct scatter){
		.factor = seen / expected,
		.df = fmax(expected * expected / (squared * kept) *
				   independent_bends(bends->window, kept),
			   1),
	};
}

/*
 * Marks changes of the program: bends that chance hardly makes, and all that share an interval with
 * one. A change of phase bends the shares once, however many samples are taken.
 */
static void find_changes(struct bends *bends, const struct scatter *scatter)
{
	const double each = FALSE_CHANGE / (double)bends->nr;
	const size_t reach = bends->window->nr - 1;

	for (size_t i = 0; i < bends->nr; i++) {
		const struct bend *bend = &bends->of[i];
		const double most = scatter->factor * qf(each, bend_df(bend), scatter->df, 0, 0);

		if (ratio_of(bend->seen, bend->own) <= most)
			continue;
		for (size_t j = i < reach ? 0 : i - reach; j <= i + reach && j < bends->nr; j++)
			bends->of[j].is_change = true;
	}
}

struct scatter scatter__measure(const double *counts, size_t nr_units, const double *totals,
				size_t nr)
{
	struct bends bends;
	struct scatter all, guessed;
	double kept = 0;

	if (nr < 2)
		return scatter__independent();
	find_bends(&bends, counts, nr_units, totals, nr);
	all = sum_up(&bends);
	if (nr < LEAST_INTERVALS)
		return all;
	guessed = guess(&bends);
	find_changes(&bends, &guessed);
	for (size_t i = 0; i < bends.nr; i++)
		kept += !bends.of[i].is_change;
	return kept < LEAST_KEPT * (double)bends.nr ? all : sum_up(&bends);
}
