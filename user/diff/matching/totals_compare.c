// SPDX-License-Identifier: GPL-2.0-only
/* The arithmetic of totals.h, on plain numbers. */
#include <math.h>

#include "diff/matching/totals.h"
#include "diff/statistics/statistics.h"

#define CONFIDENCE 0.95

/*
 * If the mean of runs is less certain than this, ranks are used: it tells little about functions,
 * which differ by less.
 */
#define STEADY 0.10

/*
 * The level of the test of whole runs. Half of alpha, as it is an additional test beside those of
 * functions, and the machine fails it more often: a burst on a shared core lasts for several runs.
 */
static double rank_alpha(const struct decision_options *options)
{
	return options->alpha / 2;
}

/* The relative variance of the value of one run. */
static double variance_of(const struct run_values *side)
{
	const double mean = run_values__mean(side);
	double squares = 0;

	for (size_t i = 0; i < side->nr; i++)
		squares += (side->values[i] - mean) * (side->values[i] - mean);
	return squares / (double)(side->nr - 1) / (mean * mean);
}

/* Sets change and half by the delta method, with Welch's degrees of freedom. */
static void compare_means(const struct run_values *sides, struct totals *totals)
{
	const struct run_values *base = &sides[SIDE_BASE], *new = &sides[SIDE_NEW];
	double ratio, b, n, df;

	totals->change = totals->half = NAN;
	if (!(run_values__mean(base) > 0 && run_values__mean(new) > 0))
		return;
	ratio = run_values__mean(new) / run_values__mean(base);
	totals->change = ratio - 1;
	if (base->nr < 2 || new->nr < 2)
		return;
	b = variance_of(base) / (double)base->nr;
	n = variance_of(new) / (double)new->nr;
	df = b + n > 0 ? (b + n) * (b + n) /
				 (b * b / (double)(base->nr - 1) + n * n / (double)(new->nr - 1))
		       : INFINITY;
	totals->half = ratio * sqrt(b + n) * student__quantile((1 + CONFIDENCE) / 2, df);
}

/* A side without runs is treated as if it had the other's. */
static bool need_ranks(const struct run_values *sides, const struct decision_options *options)
{
	const struct run_values *base = &sides[sides[SIDE_BASE].nr ? SIDE_BASE : SIDE_NEW];
	const struct run_values *new = &sides[sides[SIDE_NEW].nr ? SIDE_NEW : SIDE_BASE];
	double error, df;

	if (base->nr < 2 || new->nr < 2 || !ranks__suffice(base->nr, new->nr, rank_alpha(options)))
		return false;
	error = variance_of(base) / (double)base->nr + variance_of(new) / (double)new->nr;
	df = (double)(base->nr + new->nr - 2);
	return sqrt(error) * student__quantile((1 + CONFIDENCE) / 2, df) > STEADY;
}

void totals__compare(struct totals *totals, const struct run_values *sides,
		     const struct decision_options *options)
{
	const struct run_values *base = &sides[SIDE_BASE], *new = &sides[SIDE_NEW];
	const double margin = exp(test_margin(options->min_effect));

	compare_means(sides, totals);
	totals->need_ranks = need_ranks(sides, options);
	totals->ratio = totals->p_up = totals->p_down = NAN;
	if (!base->nr || !new->nr)
		return;
	totals->p_up = ranks__p_above(base, new, margin);
	totals->p_down = ranks__p_above(new, base, margin);
	totals->ratio = ranks__ratio(base, new);
}

void totals__judge(struct totals *totals, const struct decision_options *options)
{
	const double alpha = rank_alpha(options), change = log(totals->ratio);
	const double floor = log1p(options->min_effect);

	totals->verdict = VERDICT_NOT_ENOUGH;
	if (totals->p_up <= alpha && change >= floor)
		totals->verdict = VERDICT_REGRESSED;
	else if (totals->p_down <= alpha && -change >= floor)
		totals->verdict = VERDICT_IMPROVED;
}
