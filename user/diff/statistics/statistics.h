/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The arithmetic of a comparison: distributions, corrections, variances, power. Pure functions of
 * numbers; they know no units, profiles or words. docs/diff.md derives the formulas.
 *
 *   k  samples of a unit     r  reference samples outside of it     t = k + r
 *   upper case: summed over the runs of a side;  L = log of the ratio of odds, new to base
 */
#ifndef TOPSTACKS_DIFF_STATISTICS_STATISTICS_H
#define TOPSTACKS_DIFF_STATISTICS_STATISTICS_H

#include "base/common.h"

/* ---- distributions; df > 0 need not be whole, and may be infinite ---- */

double student__upper(double x, double df); /* P(T > x) */
double student__quantile(double p, double df);

/*
 * Holm's step-down correction: adjusted[i] <= alpha rejects i at family-wise level alpha. The two
 * arrays may be one.
 */
void holm__adjust(const double *p, size_t nr, double *adjusted);

/* The median; for an even number of values the mean of the middle two. Sorts values. nr > 0. */
double median(double *values, size_t nr);

/* ---- one unit on one side ---- */

/* Sums over the runs of a side. rate: r is ignored, and t is time or work instead of samples. */
struct side_sums {
	double k, r, t;
	bool rate;
};

double log_ratio(const struct side_sums *base, const struct side_sums *new);

/* Sampling variance of log_ratio() for independent samples. */
double sampling_variance(const struct side_sums *base, const struct side_sums *new);

/*
 * The sampling variance of log_ratio() if nothing changed: from the counts that both sides would
 * have then. If one side is much longer, it determines these counts; a chance excess in a few
 * samples of the other must not make that side look precise. For counts, not rates.
 */
double null_variance(const struct side_sums *base, const struct side_sums *new);

/*
 * How clear a change is, to compare with other units: the difference of shares over its standard
 * deviation if nothing changed. log_ratio() over its own deviation is no such measure: a unit that
 * vanished has a very uncertain logarithm. For counts, not rates.
 */
double change_score(const struct side_sums *base, const struct side_sums *new, double phi,
		    double between);

/*
 * How far two log ratios agree, from 1 (equal) to 0, if chance makes them differ with this
 * variance; 1/2 at two deviations.
 */
double agreement(double distance, double variance);

#define LEAST_SUPPORT 0.5 /* smaller sums of agreement mean nothing */

/* ---- spread between runs ---- */

/* The distance of a run from its side's mean: (k - E)^2, and E(1 - Q), its binomial variance. */
struct deviation {
	double squared, binomial;
};

struct deviation run_deviation(double k, double t, const struct side_sums *sums);

/*
 * The sum of squared / (binomial + binomial^2 * tau2): each square over its variance at this tau2.
 */
double chi_square(const struct deviation *deviations, size_t nr, double tau2);

/*
 * The tau2 in [0, 0.25] at which chi_square() is `expected`, as of independent runs. 0 if
 * chi_square() is no larger even at 0; 0.25 if chi_square() is larger even at 0.25.
 */
double run_variance(const struct deviation *deviations, size_t nr, double expected);

/* A variance and the degrees of freedom of the t distribution that goes with it. */
struct variance {
	double v, df;
};

/*
 * With one run a side: adds an assumed tau2 for each run to the sampling variance. g: sum of t^2 /
 * T^2 by side, which is 1 / runs for runs of equal length.
 */
struct variance assumed_variance(double sampling, double g, double tau2);

/*
 * As assumed_variance(), where phi, in the sampling variance, was estimated with df degrees of
 * freedom.
 */
struct variance phases_variance(double sampling, double df, double g, double tau2);

/*
 * With several runs a side: d degrees of freedom are between runs; chi2 is that of this unit alone,
 * at the tau2 of all units.
 */
struct variance moderated_variance(double sampling, double g, double tau2, double chi2, double d);

/* ---- dispersion within a run ---- */

#define PHI_ASSUMED 1.5

/* The ratio of seen to expected variance of a unit, and its samples. */
struct unit_phi {
	double samples, phi;
};

#define MIN_UNITS 5 /* for a median of phi */

/*
 * The median phi of all units with min_samples, or of the MIN_UNITS largest; 1 if there are no
 * units. Sorts units.
 */
double phi_of_largest(struct unit_phi *units, size_t nr, double min_samples);

/* ---- decisions ---- */

/*
 * The smallest L that matters: min_effect; or min_points, where the share is small, or the share of
 * all others is: a unit with nearly all samples seems to change when the little rest does.
 */
double effect_floor(double min_effect, double min_points, double share);

/* How much the log odds of a share rise if the share grows by part. INFINITY: it would reach 1. */
double odds_shift(double share, double part);

/* Half of ln(1 + min_effect): tests ask whether L exceeds this. */
double test_margin(double min_effect);

/* ---- power: the smallest change that a test finds, and how many runs a smaller one needs ---- */

struct test_rule {
	double margin; /* the test asks whether the change exceeds this log ratio */
	double floor;  /* least log ratio of the change itself */
	double tail;   /* alpha / number of tests */
	double power;  /* probability to find the change */
};

/* The smallest log ratio that the test finds at this variance. */
double found_size(const struct test_rule *rule, struct variance variance);

/* The present variance of a unit. */
struct standing {
	double sampling;	  /* the sampling part of `variance`; the rest is between runs */
	struct variance variance; /* the whole */
	double nr_runs;		  /* a side; the harmonic mean if the sides differ */
	double between_df;	  /* d of docs/diff.md */
};

/* Runs a side that find a change of this size, at least 2; INFINITY: more than a million. */
double needed_runs(const struct test_rule *rule, double size, const struct standing *now);

/* How many times as long the present runs would have to be, at least 1; 0: no length is enough. */
double needed_length(const struct test_rule *rule, double size, const struct standing *now);

/*
 * A unit that one side lacks, whose needs are computed otherwise: the variance stays that of half a
 * sample, but L grows by the log of the additional samples.
 */
struct absent {
	double size; /* |L| now */
	double blur; /* part of it that may be stacks without callers (u of docs/diff.md) */
};

double needed_runs_absent(const struct test_rule *rule, const struct absent *unit,
			  const struct standing *now);
double needed_length_absent(const struct test_rule *rule, const struct absent *unit,
			    const struct standing *now);

/* ---- ranks: two groups of values compared by their order alone ---- */

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
 * The test of Wilcoxon, Mann and Whitney, which holds for any distribution: the probability that
 * chance alone puts new as far above factor times base as it is, or further.
 */
double ranks__p_above(const struct run_values *base, const struct run_values *new, double factor);

/* The median of all ratios of a new value to a base value. */
double ranks__ratio(const struct run_values *base, const struct run_values *new);

/* True if so many values can differ so clearly that ranks__p_above() is at most alpha. */
bool ranks__suffice(size_t nr_base, size_t nr_new, double alpha);

#endif
