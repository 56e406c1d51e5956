/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The arithmetic of a comparison: distributions, corrections, variances, power. Pure functions of
 * numbers; none knows of units, profiles or words. docs/diff.md derives the formulas.
 *
 *   k  samples of a unit     r  reference samples outside of it     t = k + r
 *   upper case: summed over the runs of a side;  L = log of the ratio of odds, new to base
 */
#ifndef TOPSTACKS_DIFF_STATISTICS_STATISTICS_H
#define TOPSTACKS_DIFF_STATISTICS_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* ---- distributions; df > 0 need not be whole, and may be infinite ---- */

double student__upper(double x, double df); /* P(T > x) */
double student__quantile(double p, double df);

/*
 * Holm's step-down correction: adjusted[i] <= alpha rejects i at family-wise level alpha. The two
 * arrays may be one. 0 or -ENOMEM.
 */
int holm__adjust(const double *p, size_t nr, double *adjusted);

/* Middle value, of an even number the mean of the two; sorts its argument. nr > 0. */
double median(double *values, size_t nr);

/* ---- one unit on one side ---- */

/* Sums over the runs of a side. rate: r counts nothing, t is time or work instead of samples. */
struct side_sums {
	double k, r, t;
	bool rate;
};

double log_ratio(const struct side_sums *base, const struct side_sums *new);

/* Sampling variance of log_ratio() for independent samples. */
double sampling_variance(const struct side_sums *base, const struct side_sums *new);

/*
 * The same if nothing changed: of counts that both sides would have then. Where one side is much longer than
 * the other, as much is known of it, and few samples that are by chance more than they should be must not
 * speak for their own precision. Counts, not rates.
 */
double null_variance(const struct side_sums *base, const struct side_sums *new);

/*
 * The size of a change for comparison with that of others: the difference of shares in terms of its
 * standard deviation if there were none. log_ratio() over its own is no such measure: a unit that
 * vanished has a very uncertain logarithm. Counts, not rates.
 */
double change_score(const struct side_sums *base, const struct side_sums *new, double phi,
		    double between);

/*
 * Whether two log ratios are one, from 1 (they are) to 0, if chance makes them differ with this variance: 1/2 at two
 * deviations.
 */
double agreement(double distance, double variance);

#define LEAST_SUPPORT 0.5 /* of a sum of these: what is less says nothing */

/* ---- spread between runs ---- */

/* How far one run is from its side's mean: (k - E)^2, and E(1 - Q), its binomial variance. */
struct deviation {
	double squared, binomial;
};

struct deviation run_deviation(double k, double t, const struct side_sums *sums);

/* Sum of squared / (binomial + binomial^2 * tau2). */
double chi_square(const struct deviation *deviations, size_t nr, double tau2);

/*
 * The tau2 in [0, 0.25] at which chi_square() is what independent runs would give: expected. 0 if
 * it is no more than that already, 0.25 if it is more even there.
 */
double run_variance(const struct deviation *deviations, size_t nr, double expected);

/* A variance and the degrees of freedom of the t distribution that goes with it. */
struct variance {
	double v, df;
};

/*
 * One run a side: sampling variance, and an assumed tau2 of each run; g: sum of t^2 / T^2 by side,
 * that is 1 / runs where they are equally long.
 */
struct variance assumed_variance(double sampling, double g, double tau2);

/* The same where phi of this unit's sampling variance was estimated with so many degrees of freedom. */
struct variance phases_variance(double sampling, double df, double g, double tau2);

/* With d degrees of freedom between runs, and chi2 of this unit among them at tau2 of all units. */
struct variance moderated_variance(double sampling, double g, double tau2, double chi2, double d);

/* ---- dispersion within a run ---- */

#define PHI_ASSUMED 1.5

/* Median of seen / expected of nr units, within 1 to 10; values[] is sorted. */
double dispersion__phi(double *ratios, size_t nr);

/* ---- decisions ---- */

/*
 * The smallest L that matters: min_effect, or min_points where the share, or that of all others, is
 * small: for a unit that is nearly everything seems to change when the rest does.
 */
double effect_floor(double min_effect, double min_points, double share);

/* By how much the log odds of a share rise with it: by part. INFINITY: it would be everything. */
double odds_shift(double share, double part);

/* Half of ln(1 + min_effect): a test is of whether L exceeds this. */
double test_margin(double min_effect);

/* ---- power: the smallest change a test finds, and what it takes to see a smaller one ---- */

struct test_rule {
	double margin; /* the change is tested to be larger than this log ratio */
	double floor;  /* and must itself be at least this one */
	double tail;   /* alpha / number of tests */
	double power;  /* the probability to find it */
};

/* The smallest log ratio that is found at this variance. */
double found_size(const struct test_rule *rule, struct variance variance);

/* Where a unit stands. */
struct standing {
	double sampling;	  /* its part of the variance; the rest is between runs */
	struct variance variance; /* all of it */
	double nr_runs;		  /* a side; for sides of unequal numbers their harmonic mean */
	double between_df;	  /* d */
};

/* Runs a side for a change of size to be found, at least 2; INFINITY: more than a million. */
double needed_runs(const struct test_rule *rule, double size, const struct standing *now);

/* How many times as long the same number of runs would have to be, at least 1; 0: never enough. */
double needed_length(const struct test_rule *rule, double size, const struct standing *now);

/*
 * The same for a unit that one side lacks altogether: its variance remains that of half a sample,
 * but L grows by the log of the samples that are more.
 */
struct absent {
	double size; /* |L| as it is */
	double blur; /* of it, what stacks that lack callers may be (u of docs/diff.md) */
};

double needed_runs_absent(const struct test_rule *rule, const struct absent *unit,
			  const struct standing *now);
double needed_length_absent(const struct test_rule *rule, const struct absent *unit,
			    const struct standing *now);

#endif
