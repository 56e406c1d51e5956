// SPDX-License-Identifier: GPL-2.0-only
/*
 * Found means: L exceeds the floor, and its test's critical value, which is margin + t * sigma. L
 * is near normal around the true change, so a change is found with probability p if it lies p's
 * normal quantile times sigma above both.
 */
#include "diff/power.h"

#include <math.h>

#define MAX_RUNS 1e6

/* The largest variance of L at which a change of size (a log ratio) is found; 0: none is enough. */
static double needed_variance(const struct test_rule *rule, double size, double df)
{
	double room = size - rule->margin;
	double sigmas = student__quantile(1 - rule->tail, df) + normal__quantile(rule->power);

	return room > 0 ? room / sigmas * (room / sigmas) : 0;
}

double found_size(const struct test_rule *rule, struct variance variance)
{
	double sigma = sqrt(variance.v);
	double critical = rule->margin + student__quantile(1 - rule->tail, variance.df) * sigma;

	return fmax(rule->floor, critical) + normal__quantile(rule->power) * sigma;
}

/* The variance falls with the runs, and so do the tails of t: the first number that will do. */
double needed_runs(const struct test_rule *rule, double size, const struct standing *now)
{
	double one_run = now->variance.v * now->nr_runs;
	double prior_df = moderated_prior_df(now->variance.v, now->sampling);
	double runs = fmax(ceil(one_run / needed_variance(rule, size, INFINITY)), 2);

	while (runs <= MAX_RUNS &&
	       one_run / runs > needed_variance(rule, size, prior_df + 2 * runs - 2))
		runs++;
	return runs <= MAX_RUNS ? runs : INFINITY;
}

/*
 * Only the sampling part shrinks. The larger the rest's share of the variance is, the fewer degrees
 * of freedom are left, so what is needed falls from turn to turn and settles, or is out of reach.
 */
double needed_length(const struct test_rule *rule, double size, const struct standing *now)
{
	double fixed = fmax(now->variance.v - now->sampling, 0);
	double df = now->variance.df, needed = 0;

	for (int i = 0; i < 20; i++) {
		double last = df;

		needed = needed_variance(rule, size, df);
		if (needed <= fixed)
			return 0;
		df = now->between_df > 0
			     ? moderated_prior_df(needed, needed - fixed) + now->between_df
			     : assumed_df(needed, needed - fixed);
		if (fabs(df - last) <= 1e-6 * last)
			break;
	}
	return fmax(now->sampling / (needed - fixed), 1);
}

/* By which factor samples must grow: L by its log, but what may be missing grows beside it. */
static double needed_growth(const struct test_rule *rule, const struct absent *unit,
			    struct variance variance)
{
	double factor = exp(found_size(rule, variance) - unit->size);
	double missing = expm1(unit->blur) * factor;

	return missing < 1 ? factor / (1 - missing) : INFINITY;
}

double needed_runs_absent(const struct test_rule *rule, const struct absent *unit,
			  const struct standing *now)
{
	struct variance variance = {.v = now->variance.v, .df = INFINITY};
	double prior_df = moderated_prior_df(now->variance.v, now->sampling);
	double runs = fmax(ceil(now->nr_runs * needed_growth(rule, unit, variance)), 2);

	while (runs <= MAX_RUNS) {
		variance.df = prior_df + 2 * runs - 2;
		if (runs >= now->nr_runs * needed_growth(rule, unit, variance))
			return runs;
		runs++;
	}
	return INFINITY;
}

double needed_length_absent(const struct test_rule *rule, const struct absent *unit,
			    const struct standing *now)
{
	double factor = needed_growth(rule, unit, now->variance);

	return isfinite(factor) ? fmax(factor, 1) : 0;
}
