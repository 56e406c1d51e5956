// SPDX-License-Identifier: GPL-2.0-only
/*
 * The distributions are R's own (libRmath: Cody's normal, Wichura's AS 241, Didonato and Morris'
 * TOMS 708 for the incomplete beta); this file is a thin layer on top of them. Callers check
 * arguments: libRmath prints a warning for a df of 0, and a library must not.
 */
#include "diff/statistics/statistics.h"

#include <math.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

#define MAX_RUNS 1e6
/* A deviation between runs above 50 % is not taken for noise. */
#define MAX_TAU2 0.25

static double normal_quantile(double p)
{
	return qnorm(p, 0, 1, 1, 0);
}

double student__upper(double x, double df)
{
	return pt(x, df, 0, 0);
}

double student__quantile(double p, double df)
{
	return qt(p, df, 1, 0);
}

struct ranked {
	double p;
	size_t index;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->p > y->p) - (x->p < y->p);
}

/* S. Holm, Scand. J. Statist. 6 (1979) 65: the i-th smallest of m is multiplied by m - i. */
void holm__adjust(const double *p, size_t nr, double *adjusted)
{
	struct ranked *ranked = xcalloc(nr, sizeof(*ranked));
	double largest = 0;

	for (size_t i = 0; i < nr; i++)
		ranked[i] = (struct ranked){.p = p[i], .index = i};
	qsort(ranked, nr, sizeof(*ranked), compare_ranked);
	for (size_t i = 0; i < nr; i++) {
		largest = fmax(largest, ranked[i].p * (double)(nr - i));
		adjusted[ranked[i].index] = fmin(largest, 1);
	}
	free(ranked);
}

static int compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

double median(double *values, size_t nr)
{
	qsort(values, nr, sizeof(*values), compare_doubles);
	return nr % 2 ? values[nr / 2] : (values[nr / 2 - 1] + values[nr / 2]) / 2;
}

static double log_odds(const struct side_sums *sums)
{
	return log(sums->k + 0.5) - log(sums->rate ? sums->t : sums->r + 0.5);
}

double log_ratio(const struct side_sums *base, const struct side_sums *new)
{
	return log_odds(new) - log_odds(base);
}

static double log_odds_variance(const struct side_sums *sums)
{
	return 1 / (sums->k + 0.5) + (sums->rate ? 0 : 1 / (sums->r + 0.5));
}

double sampling_variance(const struct side_sums *base, const struct side_sums *new)
{
	return log_odds_variance(base) + log_odds_variance(new);
}

/* The sampling variance of the log odds of one side with this share. */
static double expected_variance(const struct side_sums *side, double share)
{
	const double k = share * side->t;

	return 1 / (k + 0.5) + 1 / (side->t - k + 0.5);
}

double null_variance(const struct side_sums *base, const struct side_sums *new)
{
	const double share = (base->k + new->k) / (base->t + new->t);

	return expected_variance(base, share) + expected_variance(new, share);
}

double change_score(const struct side_sums *base, const struct side_sums *new, double phi,
		    double between)
{
	double q = (base->k + new->k + 1) / (base->t + new->t + 2);
	double difference = new->k / (new->t + 1) - base->k / (base->t + 1);
	double slope = q * (1 - q);
	double v = phi * slope * (1 / (base->t + 1) + 1 / (new->t + 1)) + slope * slope * between;

	return fabs(difference) / sqrt(v);
}

double agreement(double distance, double variance)
{
	const double square = distance * distance / (4 * variance);

	return 1 / (1 + square * square);
}

struct deviation run_deviation(double k, double t, const struct side_sums *sums)
{
	/* The unit's share of a side is never 0. */
	const double share = (sums->k + 0.5) / (sums->rate ? sums->t : sums->t + 1);
	const double mean = t * share;

	return (struct deviation){
		.squared = (k - mean) * (k - mean),
		.binomial = sums->rate ? mean : mean * (1 - share),
	};
}

double chi_square(const struct deviation *deviations, size_t nr, double tau2)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++) {
		double b = deviations[i].binomial;

		if (b > 0)
			sum += deviations[i].squared / (b + b * b * tau2);
	}
	return sum;
}

double run_variance(const struct deviation *deviations, size_t nr, double expected)
{
	double low = 0, high = MAX_TAU2;

	if (chi_square(deviations, nr, low) <= expected)
		return low;
	if (chi_square(deviations, nr, high) >= expected)
		return high;
	for (int i = 0; i < 40; i++) {
		double middle = (low + high) / 2;

		if (chi_square(deviations, nr, middle) > expected)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/*
 * The part of a variance that is between runs. It is estimated from few squares, so it determines
 * the degrees of freedom.
 */
static double between_share(double variance, double sampling)
{
	return fmax(variance - sampling, 0) / variance;
}

/* The degrees of freedom that an assumed tau2 deserves. */
static double assumed_df(double variance, double sampling)
{
	double w = between_share(variance, sampling);

	return 8 / (w * w);
}

/*
 * The degrees of freedom of the other units' estimate. Units differ in tau: the larger its part of
 * the variance, the less the others say about this unit.
 */
static double moderated_prior_df(double variance, double sampling)
{
	double w = between_share(variance, sampling);

	return fmin(4 / (w * w), 10);
}

struct variance assumed_variance(double sampling, double g, double tau2)
{
	double v = sampling + g * tau2;

	return (struct variance){.v = v, .df = assumed_df(v, sampling)};
}

/* The degrees of freedom are those of a sum of two estimates, after Satterthwaite. */
struct variance phases_variance(double sampling, double df, double g, double tau2)
{
	double v = sampling + g * tau2, w = between_share(v, sampling);

	return (struct variance){.v = v, .df = 1 / (w * w / 8 + (1 - w) * (1 - w) / df)};
}

struct variance moderated_variance(double sampling, double g, double tau2, double chi2, double d)
{
	double prior = sampling + g * tau2;
	double prior_df = moderated_prior_df(prior, sampling);

	return (struct variance){
		.v = fmax(sampling, prior * (prior_df + chi2) / (prior_df + d)),
		.df = prior_df + d,
	};
}

static int by_samples(const void *a, const void *b)
{
	const struct unit_phi *x = a, *y = b;

	return (x->samples < y->samples) - (x->samples > y->samples);
}

double phi_of_largest(struct unit_phi *units, size_t nr, double min_samples)
{
	double *values = xcalloc(nr, sizeof(*values)), phi;
	size_t nr_values = 0;

	qsort(units, nr, sizeof(*units), by_samples);
	while (nr_values < nr &&
	       (units[nr_values].samples >= min_samples || nr_values < MIN_UNITS)) {
		values[nr_values] = units[nr_values].phi;
		nr_values++;
	}
	phi = nr ? median(values, nr_values) : 1;
	free(values);
	return phi;
}

double effect_floor(double min_effect, double min_points, double share)
{
	return log1p(fmax(min_effect, min_points / fmin(share, 1 - share)));
}

double odds_shift(double share, double part)
{
	double shifted = share + part;

	if (part <= 0)
		return 0;
	return shifted < 1 ? log(shifted / (1 - shifted)) - log(share / (1 - share)) : INFINITY;
}

double test_margin(double min_effect)
{
	return log1p(min_effect) / 2;
}

/* ---- power ---- */

/*
 * A change is found if L exceeds both the floor and the critical value of its test, which is margin
 * + t * sigma. L is nearly normal around the true change, so a change is found with probability p
 * if it lies p's normal quantile times sigma above both.
 */

/* The largest variance of L at which a change of size (a log ratio) is found; 0: none is enough. */
static double needed_variance(const struct test_rule *rule, double size, double df)
{
	double room = size - rule->margin;
	double sigmas = student__quantile(1 - rule->tail, df) + normal_quantile(rule->power);

	return room > 0 ? room / sigmas * (room / sigmas) : 0;
}

double found_size(const struct test_rule *rule, struct variance variance)
{
	double sigma = sqrt(variance.v);
	double critical = rule->margin + student__quantile(1 - rule->tail, variance.df) * sigma;

	return fmax(rule->floor, critical) + normal_quantile(rule->power) * sigma;
}

/*
 * More runs reduce the variance, and make the tails of t thinner: searches the first number that
 * suffices.
 */
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
 * Longer runs reduce only the sampling part of the variance. As the other part becomes larger,
 * degrees of freedom are lost: the needed variance falls with each iteration, until it settles or
 * is out of reach.
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

/*
 * The factor by which samples must grow. L grows by its log; samples without callers grow as well.
 */
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

/* ---- ranks ---- */

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
