// SPDX-License-Identifier: GPL-2.0-only
/*
 * Statistics against published tables, closed forms and values worked out by hand.
 *
 *   AS    M. Abramowitz, I. Stegun, Handbook of Mathematical Functions: tables 26.1, 26.5
 *   NIST  NIST/SEMATECH e-Handbook of Statistical Methods: 1.3.6.7.2, critical values of t
 *   Ne    R. Newcombe, Statist. Med. 17 (1998) 857: table I, Clopper-Pearson
 */
#include "diff/statistics/statistics.h"

#include <math.h>

#include "../simulation/proportion.h"
#include "expect.h"

static void test_normal(void)
{
	EXPECT_NEAR(student__upper(2, INFINITY), 1 - 0.977249868051821, 1e-14); /* AS 26.1 */
	EXPECT_NEAR(student__quantile(0.975, INFINITY), 1.95996, 5e-6);		/* AS 26.5 */
	EXPECT_NEAR(student__quantile(0.80, INFINITY), 0.84162, 5e-6);
	EXPECT_NEAR(student__quantile(0.999, INFINITY), 3.09023, 5e-6);
}

static void test_student_table(void)
{
	static const double p[] = {0.90, 0.95, 0.975, 0.99, 0.995, 0.999};
	static const struct {
		double df, critical[6];
	} nist[] = {
		{2, {1.886, 2.920, 4.303, 6.965, 9.925, 22.327}},
		{5, {1.476, 2.015, 2.571, 3.365, 4.032, 5.893}},
		{10, {1.372, 1.812, 2.228, 2.764, 3.169, 4.143}},
		{30, {1.310, 1.697, 2.042, 2.457, 2.750, 3.385}},
		{100, {1.290, 1.660, 1.984, 2.364, 2.626, 3.174}},
		{INFINITY, {1.282, 1.645, 1.960, 2.326, 2.576, 3.090}},
	};

	for (size_t i = 0; i < sizeof(nist) / sizeof(nist[0]); i++) {
		for (size_t j = 0; j < 6; j++) {
			double x = nist[i].critical[j];

			EXPECT_NEAR(student__quantile(p[j], nist[i].df), x, 0.0011);
			EXPECT_NEAR(student__upper(x, nist[i].df), 1 - p[j], 2e-4);
		}
	}
}

/* One and two degrees of freedom have closed forms. */
static void test_student_closed_forms(void)
{
	for (double x = -8; x <= 8; x += 0.5) {
		EXPECT_NEAR(student__upper(x, 1), 0.5 - atan(x) / M_PI, 1e-13);
		EXPECT_NEAR(student__upper(x, 2), 0.5 - x / (2 * sqrt(2 + x * x)), 1e-13);
	}
	EXPECT_NEAR(student__quantile(0.75, 1), 1, 1e-12);
	EXPECT_NEAR(student__quantile(0.9, 2), 1.8856180831641267, 1e-12);
}

/* P(0 < T < x) by Simpson's rule, for a df that no table has. */
static double integrate_density(double x, double df)
{
	double constant = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(df * M_PI);
	int steps = 2000;
	double sum = 0;

	for (int i = 0; i <= steps; i++) {
		double at = x * i / steps;
		double weight = i == 0 || i == steps ? 1 : i % 2 ? 4 : 2;

		sum += weight * constant * pow(1 + at * at / df, -(df + 1) / 2);
	}
	return sum * x / steps / 3;
}

static void test_student_fractional(void)
{
	EXPECT_NEAR(student__upper(1.7, 6.25), 0.5 - integrate_density(1.7, 6.25), 1e-10);
	EXPECT_NEAR(student__upper(4.2, 11.5), 0.5 - integrate_density(4.2, 11.5), 1e-10);
	EXPECT_NEAR(student__upper(2.5, 1e7), student__upper(2.5, INFINITY), 1e-6);
	EXPECT_NEAR(student__upper(student__quantile(0.9999, 12.3), 12.3), 1e-4, 1e-12);
}

static void test_clopper_pearson(void)
{
	static const struct {
		double hits, trials, low, high;
	} newcombe[] = {
		{81, 263, 0.2527, 0.3676},
		{15, 148, 0.0578, 0.1617},
		{0, 20, 0, 0.1684},
		{1, 29, 0.0009, 0.1776},
	};
	double low, high;

	for (size_t i = 0; i < sizeof(newcombe) / sizeof(newcombe[0]); i++) {
		clopper_pearson(newcombe[i].hits, newcombe[i].trials, 0.95, &low, &high);
		EXPECT_NEAR(low, newcombe[i].low, 5.1e-5);
		EXPECT_NEAR(high, newcombe[i].high, 5.1e-5);
	}
	/* All or nothing: (1 - confidence) / 2 is the chance of it at the bound. */
	clopper_pearson(50, 50, 0.998, &low, &high);
	EXPECT_NEAR(pow(low, 50), 0.001, 1e-12);
	EXPECT_NEAR(high, 1, 0);
}

static void test_holm(void)
{
	/* Sorted: 4 x 0.005, 3 x 0.01, 2 x 0.03, and 0.04 takes over 0.06. */
	double p[] = {0.01, 0.04, 0.03, 0.005}, adjusted[4];
	double large[] = {0.9, 0.5, 0.5};

	holm__adjust(p, 4, adjusted);
	EXPECT_NEAR(adjusted[0], 0.03, 1e-15);
	EXPECT_NEAR(adjusted[1], 0.06, 1e-15);
	EXPECT_NEAR(adjusted[2], 0.06, 1e-15);
	EXPECT_NEAR(adjusted[3], 0.02, 1e-15);
	holm__adjust(large, 3, large);
	EXPECT_NEAR(large[0], 1, 0);
	EXPECT_NEAR(large[1], 1, 0);
	holm__adjust(NULL, 0, NULL);
}

static void test_median(void)
{
	double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2}, one[] = {7};

	EXPECT_NEAR(median(odd, 3), 3, 0);
	EXPECT_NEAR(median(even, 4), 2.5, 0);
	EXPECT_NEAR(median(one, 1), 7, 0);
}

static void test_ratio(void)
{
	struct side_sums base = {.k = 9.5, .r = 99.5, .t = 109};
	struct side_sums new = {.k = 19.5, .r = 79.5, .t = 99};
	struct side_sums rate = {.k = 19.5, .r = 79.5, .t = 4, .rate = true};

	EXPECT_NEAR(log_ratio(&base, &new), log(2.5), 1e-15); /* (20 / 80) / (10 / 100) */
	EXPECT_NEAR(sampling_variance(&base, &new), 0.1 + 0.01 + 0.05 + 0.0125, 1e-15);
	EXPECT_NEAR(log_ratio(&rate, &rate), 0, 0);
	EXPECT_NEAR(sampling_variance(&rate, &rate), 0.1, 1e-15);
}

static void test_change_score(void)
{
	/* 9 and 20 of 99: q = 30 / 200, and the shares differ by 0.11. */
	struct side_sums base = {.k = 9, .r = 90, .t = 99}, new = {.k = 20, .r = 79, .t = 99};
	struct side_sums gone = {.k = 0, .r = 99, .t = 99};
	double v = 0.15 * 0.85 * 0.02;

	EXPECT_NEAR(change_score(&base, &new, 1, 0), 0.11 / sqrt(v), 1e-12);
	EXPECT_NEAR(change_score(&new, &base, 2, 0.03),
		    0.11 / sqrt(2 * v + 0.15 * 0.85 * 0.15 * 0.85 * 0.03), 1e-12);
	/* All of 20 are clearer than 11 of them. */
	EXPECT(change_score(&new, &gone, 1, 0) > change_score(&base, &new, 1, 0));
	EXPECT(isfinite(change_score(&gone, &gone, 1, 0)));
}

static void test_deviation(void)
{
	/* Q = 20 / 100 of 30 samples: 6 expected, variance 4.8; 9 were seen. */
	struct side_sums side = {.k = 19.5, .t = 99};
	struct deviation deviation = run_deviation(9, 30, &side);
	struct deviation many[] = {{600, 100}, {0, 100}, {5, 0}};

	EXPECT_NEAR(deviation.squared, 9, 1e-12);
	EXPECT_NEAR(deviation.binomial, 4.8, 1e-12);
	EXPECT_NEAR(chi_square(&deviation, 1, 0), 9 / 4.8, 1e-12);
	EXPECT_NEAR(chi_square(&deviation, 1, 0.1), 9 / (4.8 + 2.304), 1e-12);
	/* A deviation without variance says nothing. */
	EXPECT_NEAR(chi_square(many, 3, 0), 6, 1e-12);
	/* 600 / (100 + 10000 tau2) = 1 */
	EXPECT_NEAR(run_variance(many, 1, 1), 0.05, 1e-9);
	EXPECT_NEAR(run_variance(many, 1, 6), 0, 0);
	EXPECT_NEAR(run_variance(many, 1, 0.1), 0.25, 0);
}

/*
 * 10 and 30 of 100 would both be 20, if nothing changed; 1 of 100 beside 100 of 10,000 is 1 then,
 * too.
 */
static void test_null_variance(void)
{
	struct side_sums base = {.k = 10, .r = 90, .t = 100}, new = {.k = 30, .r = 70, .t = 100};

	EXPECT_NEAR(null_variance(&base, &new), 2 * (1 / 20.5 + 1 / 80.5), 1e-15);
	base = (struct side_sums){.k = 100, .r = 9900, .t = 10000};
	new = (struct side_sums){.k = 1, .r = 99, .t = 100};
	EXPECT_NEAR(null_variance(&base, &new), sampling_variance(&base, &new), 1e-12);
	new = (struct side_sums){.k = 6, .r = 94, .t = 100};
	EXPECT(null_variance(&base, &new) > 3 * sampling_variance(&base, &new));
}

static void test_variances(void)
{
	struct variance v = assumed_variance(0.01, 2, 0.0025);

	EXPECT_NEAR(v.v, 0.015, 1e-15);
	EXPECT_NEAR(v.df, 72, 1e-9); /* a third is tau's: 8 x 9 */

	v = phases_variance(0.01, 13, 2, 0.0025);
	EXPECT_NEAR(v.v, 0.015, 1e-15);
	EXPECT_NEAR(v.df, 1 / (1.0 / 72 + 4.0 / 9 / 13), 1e-9);

	v = moderated_variance(0.01, 1, 0.01, 4, 2);
	EXPECT_NEAR(v.v, 0.02 * 14 / 12, 1e-15);
	EXPECT_NEAR(v.df, 12, 1e-12);

	v = moderated_variance(0.01, 1, 0.04, 0, 4); /* w = 0.8: 6.25 prior df */
	EXPECT_NEAR(v.v, 0.05 * 6.25 / 10.25, 1e-15);
	EXPECT_NEAR(v.df, 10.25, 1e-12);

	v = moderated_variance(0.05, 1, 0, 0, 4); /* never below sampling */
	EXPECT_NEAR(v.v, 0.05, 0);
	EXPECT_NEAR(v.df, 14, 1e-12);
}

static void test_dispersion(void)
{
	struct unit_phi units[] = {{10, 9}, {300, 1}, {20, 8}, {200, 2}, {30, 7}, {100, 3}};

	EXPECT_NEAR(phi_of_largest(units, 6, 20), 3, 0);  /* five, as many as have 20 samples */
	EXPECT_NEAR(phi_of_largest(units, 6, 100), 3, 0); /* three do, but five are taken */
	EXPECT_NEAR(phi_of_largest(units, 6, 10), 5, 0);
	EXPECT_NEAR(phi_of_largest(units, 0, 10), 1, 0);
}

static void test_floor(void)
{
	EXPECT_NEAR(effect_floor(0.05, 0.005, 0.5), log(1.05), 1e-15);
	EXPECT_NEAR(effect_floor(0.05, 0.005, 0.02), log(1.25), 1e-15);
	EXPECT_NEAR(effect_floor(0.05, 0.005, 1e-20), log(5e17), 1e-9);
	EXPECT_NEAR(effect_floor(0.05, 0.005, 0.99), log(1.5), 1e-12);
	EXPECT_NEAR(odds_shift(0.25, 0.25), log(3), 1e-12);
	EXPECT_NEAR(odds_shift(0.25, 0), 0, 0);
	EXPECT_NEAR(odds_shift(0.25, -0.1), 0, 0);
	EXPECT(isinf(odds_shift(0.25, 0.75)));
	EXPECT_NEAR(test_margin(0.05), 0.0243950820847, 1e-12);
}

static void test_power(void)
{
	struct test_rule rule = {
		.margin = 0.0243950820847,
		.floor = 0.0487901641694,
		.tail = 0.02,
		.power = 0.8,
	};
	struct variance v = {.v = 0.0005998860, .df = INFINITY};

	/* ((ln 1.1 - h) / (2.0537489 + 0.8416212))^2 */
	EXPECT_NEAR(found_size(&rule, v), log(1.1), 1e-6);
	/* Without noise only the floor counts. */
	v.v = 0;
	EXPECT_NEAR(found_size(&rule, v), rule.floor, 0);
}

/* The number of runs is the first whose variance and df find the change. */
static void test_needed_runs(void)
{
	struct test_rule rule = {.margin = 0.0244, .floor = 0.0488, .tail = 0.001, .power = 0.8};
	struct standing now = {
		.sampling = 0.001,
		.variance = {.v = 0.002, .df = 14},
		.nr_runs = 3,
		.between_df = 4,
	};
	double size = log(1.1), runs = needed_runs(&rule, size, &now);
	struct variance enough = {.v = 0.002 * 3 / runs, .df = 10 + 2 * runs - 2};
	struct variance before = {.v = 0.002 * 3 / (runs - 1), .df = 10 + 2 * (runs - 1) - 2};

	EXPECT(runs > 3);
	EXPECT(found_size(&rule, enough) <= size);
	EXPECT(found_size(&rule, before) > size);
	EXPECT(isinf(needed_runs(&rule, 0.0244 + 1e-9, &now)));
	EXPECT(isinf(needed_runs(&rule, 0.01, &now)));
	EXPECT_NEAR(needed_runs(&rule, 10, &now), 2, 0);
}

static void test_needed_length(void)
{
	struct test_rule rule = {.margin = 0.0244, .floor = 0.0488, .tail = 0.001, .power = 0.8};
	struct standing now = {
		.sampling = 0.01,
		.variance = assumed_variance(0.01, 2, 0.0025),
		.nr_runs = 1,
	};
	double size = log(1.5), length = needed_length(&rule, size, &now);
	struct variance then = assumed_variance(0.01 / length, 2, 0.0025);

	/* So much longer, the change is just found; a small one never is: runs differ by 5 %. */
	EXPECT(length > 1);
	EXPECT_NEAR(found_size(&rule, then), size, 1e-3);
	EXPECT_NEAR(needed_length(&rule, log(1.2), &now), 0, 0);
	now.variance = moderated_variance(0.01, 2, 0, 4, 4);
	now.between_df = 4;
	EXPECT(needed_length(&rule, log(1.2), &now) > 1);
}

/* Growth makes up for the missing part of ln(samples); 2.0537 + 0.8416 sigmas at infinity. */
static void test_needed_absent(void)
{
	struct test_rule rule = {.margin = 0.0244, .floor = 0.0488, .tail = 0.02, .power = 0.8};
	struct standing now = {
		.sampling = 2,
		.variance = {.v = 2, .df = INFINITY},
		.nr_runs = 3,
		.between_df = 4,
	};
	double sigmas = 0.0244 + (2.0537489 + 0.8416212) * sqrt(2), runs;
	struct absent unit = {.size = sigmas - log(5)};

	EXPECT_NEAR(needed_length_absent(&rule, &unit, &now), 5, 1e-5);
	runs = needed_runs_absent(&rule, &unit, &now);
	EXPECT(runs >= 15 && runs < 25); /* t of 38 degrees of freedom or more is a little wider */
	now.variance.df = 10 + 2 * runs - 2;
	EXPECT(3 * needed_length_absent(&rule, &unit, &now) <= runs);
	now.variance.df = 10 + 2 * (runs - 1) - 2;
	EXPECT(3 * needed_length_absent(&rule, &unit, &now) > runs - 1);

	/* 5 / (1 - 0.1 * 5): what may be missing grows as well. */
	now.variance.df = INFINITY;
	unit.blur = log1p(0.1);
	EXPECT_NEAR(needed_length_absent(&rule, &unit, &now), 10, 1e-4);
	unit.blur = log1p(0.2001);
	EXPECT_NEAR(needed_length_absent(&rule, &unit, &now), 0, 0);
	EXPECT(isinf(needed_runs_absent(&rule, &unit, &now)));
	unit.blur = INFINITY;
	EXPECT(isinf(needed_runs_absent(&rule, &unit, &now)));
	unit = (struct absent){.size = 20};
	EXPECT_NEAR(needed_length_absent(&rule, &unit, &now), 1, 0);
}

int main(void)
{
	static const struct test tests[] = {
		{"normal distribution", test_normal},
		{"t distribution: table", test_student_table},
		{"t distribution: closed forms", test_student_closed_forms},
		{"t distribution: fractional df", test_student_fractional},
		{"Clopper-Pearson", test_clopper_pearson},
		{"Holm", test_holm},
		{"median", test_median},
		{"log ratio and its variance", test_ratio},
		{"how clear a change is", test_change_score},
		{"run-to-run deviation", test_deviation},
		{"variance if nothing changed", test_null_variance},
		{"variances and their df", test_variances},
		{"dispersion", test_dispersion},
		{"floors", test_floor},
		{"power", test_power},
		{"runs needed", test_needed_runs},
		{"length needed", test_needed_length},
		{"what a vanished unit needs", test_needed_absent},
		{0},
	};

	return run_tests("statistics", tests);
}
