// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decisions about counts written down by hand. The numbers of test_replicated() and test_one_run()
 * were computed by a second implementation of the rule, in arithmetic of 20 digits with mpmath; for
 * the others it is said why they must be so.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "diff/matching/verdict.h"
#include "problem.h"

struct known_decision {
	enum verdict verdict;
	double log_ratio, variance, df, p_up;
};

static void expect_finding(const struct finding *finding, const struct known_decision *expected)
{
	EXPECT_EQ(finding->untested, TESTED);
	EXPECT_STR(verdict__name(finding->verdict), verdict__name(expected->verdict));
	EXPECT_NEAR(finding->log_ratio, expected->log_ratio, 1e-9);
	EXPECT_NEAR(finding->variance, expected->variance, 1e-9);
	EXPECT_NEAR(finding->df / expected->df, 1, 1e-8);
	EXPECT_NEAR(finding->p_up, expected->p_up, 1e-9);
}

static void test_replicated(void)
{
	static const struct known_decision expected[] = {
		{VERDICT_NOT_ENOUGH, 0.00552158065649, 0.0229280433298, 9.9822903006, 1},
		{VERDICT_REGRESSED, 0.73377790235, 0.0189178294341, 9.07273380403,
		 0.00145490259382},
		{VERDICT_NOT_ENOUGH, 0.028840985099, 0.0261145321631, 11.0214041383, 1},
		{VERDICT_NOT_ENOUGH, -0.0499708601284, 0.0378872167012, 12.3092715911, 1},
		{VERDICT_REGRESSED, 0.647924272245, 0.0173574147256, 9.008459491, 0.0021339805623},
	};
	struct decision decision = decide(&replicated);

	for (size_t u = 0; u < 5; u++)
		expect_finding(&decision.findings[u], &expected[u]);
	EXPECT_EQ(decision.nr_tested, 5);
	EXPECT_EQ(decision.nr[VERDICT_REGRESSED], 2);
	EXPECT_EQ(decision.nr[VERDICT_NOT_ENOUGH], 3);
	EXPECT_EQ(decision.between_df, 4);
	EXPECT(decision.cv_estimated);
	EXPECT_NEAR(decision.cv, 0.1756946642, 1e-6);
	EXPECT_EQ(decision.phi_source, PHI_NOT_NEEDED);
	EXPECT_EQ(decision.nr_changed, 1);
	EXPECT_EQ(decision.changed[0], 1);
	EXPECT(decision.findings[1].changed);
	EXPECT(!decision.findings[4].share_only);
	EXPECT_NEAR(decision.findings[1].share[SIDE_BASE], 900.0 / 3070, 1e-12);
	EXPECT_NEAR(decision.findings[1].samples[SIDE_NEW], 1800, 0);
	EXPECT(decision.findings[1].low < 2 && decision.findings[1].high > 2);
	EXPECT(decision.findings[0].needed_runs > 3);
	EXPECT(decision.found_effect > 0.1 && decision.found_effect < 10);
	decision__fini(&decision);
}

static void test_one_run(void)
{
	static const struct known_decision expected[] = {
		{VERDICT_REGRESSED, 0.477896607553, 0.0161040488158, 82.9889242433,
		 0.00117938678867},
		{VERDICT_NOT_ENOUGH, 0.0839418722775, 0.0250682193946, 201.092999558, 1},
		{VERDICT_NOT_ENOUGH, -0.0635691592269, 0.0277997677263, 247.304667403, 1},
		{VERDICT_NOT_ENOUGH, -0.0510314800124, 0.0416261854111, 554.4765798, 1},
		{VERDICT_REGRESSED, 3.19471388589, 0.634810198519, 128954.876206,
		 0.000173061818944},
	};
	struct decision_options options = decision_options__default();
	struct decision decision = decide(&one_run);

	for (size_t u = 0; u < 5; u++)
		expect_finding(&decision.findings[u], &expected[u]);
	EXPECT_EQ(decision.between_df, 0);
	EXPECT(!decision.cv_estimated);
	EXPECT_NEAR(decision.cv, 0.05, 1e-12);
	EXPECT_EQ(decision.phi_source, PHI_ASSUMED_BURSTS);
	EXPECT_NEAR(decision.phi, 1.5, 0);
	EXPECT_EQ(decision.nr_changed, 2);
	EXPECT_EQ(decision.changed[0], 4);
	EXPECT_EQ(decision.changed[1], 0);
	/* 10 % are never seen in runs that may differ by 5 %, be they long; 100 % are. */
	EXPECT(decision.findings[1].needed_runs > 1);
	EXPECT_NEAR(decision.findings[1].needed_length, 0, 0);
	decision__fini(&decision);
	options.min_effect = 0.4; /* and so 80 % are to be found */
	EXPECT_EQ(decide_with(&decision, &one_run, &options), 0);
	EXPECT(decision.findings[3].needed_length > 1);
	decision__fini(&decision);
}

/* The same with the sides changed: all signs turn. */
static void test_mirror(void)
{
	struct problem mirror = replicated;
	struct decision forth = decide(&replicated), back;

	for (size_t u = 0; u < mirror.nr_units; u++) {
		for (size_t run = 0; run < 3; run++) {
			mirror.counts[u][run] = replicated.counts[u][run + 3];
			mirror.counts[u][run + 3] = replicated.counts[u][run];
			mirror.overlap[u][run] = replicated.overlap[u][run + 3];
			mirror.overlap[u][run + 3] = replicated.overlap[u][run];
		}
	}
	back = decide(&mirror);
	EXPECT_EQ(back.findings[1].verdict, VERDICT_IMPROVED);
	EXPECT_EQ(back.findings[4].verdict, VERDICT_IMPROVED);
	for (size_t u = 0; u < mirror.nr_units; u++) {
		EXPECT_NEAR(back.findings[u].log_ratio, -forth.findings[u].log_ratio, 1e-12);
		EXPECT_NEAR(back.findings[u].p_down, forth.findings[u].p_up, 1e-12);
		EXPECT_NEAR(back.findings[u].floor_down, forth.findings[u].floor_up, 1e-12);
	}
	decision__fini(&forth);
	decision__fini(&back);
}

/*
 * Half the program doubles: the share of every other function falls by a third, and none of them
 * got faster.
 */
static void test_share_only(void)
{
	static const struct problem problem = {
		.nr_units = 4,
		.nr_base = 2,
		.nr_new = 2,
		.counts = {{50000, 50100, 66600, 66700},
			   {20000, 20050, 13300, 13350},
			   {20050, 20000, 13350, 13300},
			   {10000, 9950, 6700, 6650}},
	};
	struct decision decision = decide(&problem);

	EXPECT_EQ(decision.findings[0].verdict, VERDICT_REGRESSED);
	EXPECT_NEAR(exp(decision.findings[0].log_ratio), 2, 0.01);
	EXPECT(!decision.findings[0].share_only);
	for (size_t u = 1; u < 4; u++) {
		EXPECT_EQ(decision.findings[u].verdict, VERDICT_UNCHANGED);
		EXPECT(decision.findings[u].share_only);
		EXPECT(!decision.findings[u].changed);
	}
	EXPECT(decision.spread < SPREAD_WARNING);
	/* Half a point of all samples, not of those that are left. */
	EXPECT_NEAR(decision.findings[3].floor_up, log1p(0.005 / (19950.5 / 200151)), 1e-12);
	decision__fini(&decision);
}

/* A tenth of the program is gone: the others take its share, and are not slower. */
static void test_gone(void)
{
	static const struct problem problem = {
		.nr_units = 4,
		.nr_base = 3,
		.nr_new = 3,
		.counts = {{30000, 30100, 30050, 33300, 33450, 33400},
			   {40000, 40050, 39950, 44500, 44450, 44400},
			   {20000, 19850, 20000, 22200, 22100, 22200},
			   {10000, 10000, 10000, 0, 0, 0}},
	};
	struct decision decision = decide(&problem);

	EXPECT_EQ(decision.findings[3].verdict, VERDICT_IMPROVED);
	EXPECT_EQ(decision.nr_changed, 1);
	for (size_t u = 0; u < 3; u++) {
		EXPECT_EQ(decision.findings[u].verdict, VERDICT_UNCHANGED);
		EXPECT(decision.findings[u].share_only);
	}
	decision__fini(&decision);
}

/* Beside one that clearly changed, a function that changed itself is not called "share only". */
static void test_own_change_beside(void)
{
	struct problem problem = {
		.nr_units = 5,
		.nr_base = 3,
		.nr_new = 3,
		.counts = {{300, 310, 305, 900, 910, 905},
			   {200, 205, 202, 203, 200, 204},
			   {200, 205, 202, 203, 200, 204},
			   {20, 21, 20, 20, 21, 21},
			   {8, 9, 8, 0, 0, 0}},
	};
	struct decision decision = decide(&problem);
	double runs = decision.findings[4].needed_runs;

	EXPECT(decision.findings[0].changed);
	EXPECT(decision.findings[1].share_only);
	EXPECT_EQ(decision.findings[4].verdict, VERDICT_NOT_ENOUGH);
	EXPECT(!decision.findings[4].share_only);
	EXPECT(decision.findings[4].high < 1);
	/* The function is gone: so many more runs would say so. */
	EXPECT(runs > 3 && runs < 60);
	decision__fini(&decision);
	for (size_t u = 0; u < problem.nr_units; u++) {
		for (size_t run = 0; run < 6; run++)
			problem.counts[u][run] =
				(uint64_t)((double)problem.counts[u][run] * runs / 3);
	}
	decision = decide(&problem);
	EXPECT_EQ(decision.findings[4].verdict, VERDICT_IMPROVED);
	decision__fini(&decision);
}

/* A program of two functions cannot tell; the smaller one is named, or the one that grew. */
static void test_two_units(void)
{
	static const struct problem problem = {
		.nr_units = 2,
		.nr_base = 2,
		.nr_new = 2,
		.counts = {{6667, 6666, 5000, 5001}, {3333, 3334, 5000, 4999}},
	};
	static const struct problem even = {
		.nr_units = 2,
		.nr_base = 2,
		.nr_new = 2,
		.counts = {{6000, 6000, 4000, 4000}, {4000, 4000, 6000, 6000}},
	};
	struct decision decision = decide(&even);

	EXPECT_EQ(decision.findings[1].verdict, VERDICT_REGRESSED);
	EXPECT_EQ(decision.nr[VERDICT_IMPROVED], 0);
	decision__fini(&decision);
	decision = decide(&problem);

	EXPECT_EQ(decision.findings[1].verdict, VERDICT_REGRESSED);
	EXPECT_NEAR(exp(decision.findings[1].log_ratio), 2, 0.01);
	EXPECT_EQ(decision.findings[0].untested, UNTESTED_NO_REFERENCE);
	EXPECT_EQ(decision.findings[0].verdict, VERDICT_NOT_ENOUGH);
	decision__fini(&decision);
}

/*
 * Shares alone do not tell whether one of two functions doubled or the other halved: the time of
 * whole runs tells, and where it does not, both are named.
 */
static void test_two_readings(void)
{
	static const struct {
		uint64_t base[2], fresh[2];
		enum verdict first, second;
		bool has_rival;
	} cases[] = {
		{{6000, 4000}, {12000, 4000}, VERDICT_REGRESSED, VERDICT_UNCHANGED, false},
		{{6000, 4000}, {3000, 4000}, VERDICT_IMPROVED, VERDICT_UNCHANGED, false},
		{{6000, 4000}, {7500, 2500}, VERDICT_UNCHANGED, VERDICT_IMPROVED, true},
		{{6000, 4000}, {120000, 40000}, VERDICT_UNCHANGED, VERDICT_IMPROVED, true},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct problem problem = {.nr_units = 2, .nr_base = 3, .nr_new = 3};
		struct decision decision;

		for (size_t u = 0; u < 2; u++)
			for (size_t run = 0; run < 6; run++)
				problem.counts[u][run] =
					run < 3 ? cases[i].base[u] : cases[i].fresh[u];
		decision = decide(&problem);
		if (cases[i].first != VERDICT_UNCHANGED)
			EXPECT_EQ(decision.findings[0].verdict, cases[i].first);
		else
			EXPECT_EQ(decision.findings[1].verdict, cases[i].second);
		EXPECT_EQ(decision.findings[decision.changed[0]].rival,
			  cases[i].has_rival ? 1 - decision.changed[0] : SIZE_MAX);
		decision__fini(&decision);
	}
}

/*
 * One of three functions stayed and two changed. By shares the one that stayed changed most: its
 * whole runs tell, in which it has as many samples as before. Where runs end by time, any of three
 * may have stayed, and of four the two that agree.
 */
static void test_few_stayed(void)
{
	static const struct {
		uint64_t base[4], fresh[4];
		size_t nr_units, nr_stayed; /* the first ones */
		bool has_rival;
	} cases[] = {
		{{10000, 5000, 4000}, {10000, 10000, 9000}, 3, 1, false},
		{{10000, 5000, 4000}, {10000, 2000, 5500}, 3, 1, false},
		{{10000, 5000, 4000}, {10000, 2000, 7000}, 3, 0, true}, /* as much in all */
		{{4000, 10000, 5000}, {4000, 20000, 8000}, 3, 1, false},
		{{10000, 5000, 4000}, {6909, 6909, 5182}, 3, 0, true},
		{{5000, 5000, 5000, 5000}, {2500, 2500, 5000, 10000}, 4, 2, false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct problem problem = {.nr_units = cases[i].nr_units, .nr_base = 3, .nr_new = 3};
		struct decision decision;
		bool has_rival = false;

		for (size_t u = 0; u < problem.nr_units; u++)
			for (size_t run = 0; run < 6; run++)
				problem.counts[u][run] =
					run < 3 ? cases[i].base[u] : cases[i].fresh[u];
		decision = decide(&problem);
		for (size_t u = 0; u < problem.nr_units; u++) {
			has_rival |= decision.findings[u].rival != SIZE_MAX;
			if (u < cases[i].nr_stayed)
				EXPECT(!decision.findings[u].changed);
			else if (cases[i].nr_stayed)
				EXPECT(decision.findings[u].changed);
		}
		EXPECT_EQ(has_rival, cases[i].has_rival);
		decision__fini(&decision);
	}
}

/*
 * Three of five functions are gone and three others are new: none of those that stayed has changed.
 */
static void test_many_gone_and_new(void)
{
	struct problem problem = {.nr_units = 8, .nr_base = 3, .nr_new = 3};
	struct decision decision;

	for (size_t u = 0; u < 8; u++)
		for (size_t run = 0; run < 6; run++) {
			const bool is_there = u < 2 || (u < 5) == (run < 3);

			/* The new functions take twice as long as those that are gone did. */
			if (is_there)
				problem.counts[u][run] = (u < 5 ? 30000 : 60000) + run % 3;
		}
	decision = decide(&problem);
	EXPECT_EQ(decision.nr_changed, 6);
	for (size_t u = 0; u < 2; u++) {
		EXPECT_EQ(decision.findings[u].verdict, VERDICT_UNCHANGED);
		EXPECT(decision.findings[u].share_only);
	}
	for (size_t u = 2; u < 8; u++)
		EXPECT_EQ(decision.findings[u].verdict,
			  u < 5 ? VERDICT_IMPROVED : VERDICT_REGRESSED);
	decision__fini(&decision);
}

/* Functions of the machine, however much they take, change nothing about the program. */
static void test_machine(void)
{
	struct problem problem = one_run;
	struct decision without = decide(&problem), with;

	problem.nr_units = 6;
	problem.machine[5] = true;
	problem.counts[5][0] = 100;
	problem.counts[5][1] = 100000;
	with = decide(&problem);
	for (size_t u = 0; u < 5; u++) {
		EXPECT_EQ(with.findings[u].verdict, without.findings[u].verdict);
		EXPECT_NEAR(with.findings[u].p_up, without.findings[u].p_up, 0);
		EXPECT_NEAR(with.findings[u].share[SIDE_NEW], without.findings[u].share[SIDE_NEW],
			    0);
	}
	EXPECT_EQ(with.findings[5].verdict, VERDICT_NOT_COMPARED);
	EXPECT_EQ(with.findings[5].untested, UNTESTED_MACHINE);
	EXPECT_NEAR(with.findings[5].share[SIDE_BASE], 100.0 / 1102, 1e-12);
	/* Measured like others: without the two functions that changed. */
	EXPECT_NEAR(with.findings[5].log_ratio, log(100000.5 / 595.5) - log(100.5 / 600.5), 1e-12);
	EXPECT_NEAR(with.findings[5].p_up, 1, 0);
	EXPECT_NEAR(with.samples[SIDE_NEW], 1295, 0);
	decision__fini(&without);
	decision__fini(&with);
}

/* All a third slower, with as much work as before: shares see nothing, rates do. */
static void test_rates(void)
{
	struct problem problem = {
		.nr_units = 3,
		.nr_base = 3,
		.nr_new = 3,
		.counts = {{5000, 5050, 5025, 6650, 6700, 6725},
			   {3000, 2950, 2975, 4000, 3950, 4025},
			   {1500, 1525, 1475, 2000, 2025, 1975}},
	};
	struct decision shares = decide(&problem), rates;
	struct decision_options options = decision_options__default();

	EXPECT_EQ(shares.nr[VERDICT_UNCHANGED], 3);
	for (size_t run = 0; run < 6; run++)
		problem.divisors[run] = 1000;
	rates = decide(&problem);
	EXPECT_EQ(rates.nr[VERDICT_REGRESSED], 3);
	EXPECT_NEAR(exp(rates.findings[0].log_ratio), 20075.0 / 15075, 1e-4);
	EXPECT_EQ(rates.nr_changed, 0);
	decision__fini(&shares);
	decision__fini(&rates);

	/* Rates differ from run to run; one run a side cannot tell by how much. */
	problem.nr_base = problem.nr_new = 1;
	EXPECT_EQ(decide_with(&rates, &problem, &options), -EINVAL);
	decision__fini(&rates);
}

/* One function is the whole program, as in many a benchmark. */
static void test_rates_of_everything(void)
{
	struct problem problem = {
		.nr_units = 2,
		.nr_base = 3,
		.nr_new = 3,
		.counts = {{5000, 5050, 5025, 6650, 6700, 6725},
			   {4990, 5040, 5015, 6500, 6550, 6575}},
		.kinds = {UNIT_SELF, UNIT_TOTAL},
		.incomplete = {0, 0, 0, 0.02, 0.02, 0.02},
	};
	struct decision decision = decide(&problem);

	EXPECT_EQ(decision.findings[0].untested, UNTESTED_NO_REFERENCE);
	decision__fini(&decision);
	for (size_t run = 0; run < 6; run++)
		problem.divisors[run] = 1000;
	decision = decide(&problem);
	EXPECT_EQ(decision.nr[VERDICT_REGRESSED], 2);
	EXPECT_NEAR(expm1(decision.findings[0].floor_up), 0.05, 1e-9);
	decision__fini(&decision);

	/*
	 * Stacks that lack callers on one side only take from a total as much as they may be, and
	 * no more.
	 */
	for (size_t run = 0; run < 6; run++)
		problem.incomplete[run] = run < 3 ? 0.02 : 0;
	decision = decide(&problem);
	EXPECT_EQ(decision.nr[VERDICT_REGRESSED], 2);
	decision__fini(&decision);
}

/* Five old runs, one new: a function that was not there before, and one that is gone. */
static void test_new_and_vanished(void)
{
	static const struct problem problem = {
		.nr_units = 4,
		.nr_base = 5,
		.nr_new = 1,
		.counts = {{5000, 5010, 5020, 4990, 5005, 5000},
			   {4900, 4880, 4850, 4900, 4890, 4950},
			   {0, 0, 0, 0, 0, 140},
			   {140, 138, 141, 139, 142, 0}},
	};
	struct decision decision = decide(&problem);

	EXPECT_EQ(decision.findings[2].verdict, VERDICT_REGRESSED);
	EXPECT_EQ(decision.findings[3].verdict, VERDICT_IMPROVED);
	EXPECT_NEAR(decision.findings[2].samples[SIDE_BASE], 0, 0);
	EXPECT_NEAR(decision.findings[3].samples[SIDE_NEW], 0, 0);
	EXPECT(isfinite(decision.findings[2].log_ratio));
	EXPECT_EQ(decision.between_df, 4);
	decision__fini(&decision);
}

/* A change of 0.4 points is beyond interest however large it is for the function. */
static void test_small(void)
{
	static const struct problem problem = {
		.nr_units = 3,
		.nr_base = 2,
		.nr_new = 2,
		.counts = {{99700, 99700, 99300, 99300},
			   {300, 300, 700, 700},
			   {240, 240, 240, 240}},
	};
	static const struct problem back = {
		.nr_units = 3,
		.nr_base = 2,
		.nr_new = 2,
		.counts = {{99300, 99300, 99700, 99700},
			   {700, 700, 300, 300},
			   {240, 240, 240, 240}},
	};
	struct decision decision = decide(&back);

	EXPECT(decision.findings[1].p_down < 1e-6);
	EXPECT_EQ(decision.findings[1].verdict, VERDICT_NOT_ENOUGH);
	decision__fini(&decision);
	decision = decide(&problem);

	EXPECT_EQ(decision.findings[1].untested, TESTED);
	EXPECT(decision.findings[1].verdict != VERDICT_REGRESSED);
	EXPECT(decision.findings[1].p_up < 1e-6);
	EXPECT(decision.findings[1].log_ratio < decision.findings[1].floor_up);
	EXPECT_EQ(decision.findings[2].untested, UNTESTED_SMALL);
	EXPECT_EQ(decision.findings[2].verdict, VERDICT_NOT_COMPARED);
	decision__fini(&decision);
}

/* The second implementation takes 1300 as a change, by a two-sided p of 4 %, and 1295 as none. */
static void test_change_bound(void)
{
	struct problem problem = {
		.nr_units = 4,
		.nr_base = 1,
		.nr_new = 1,
		.counts = {{1000, 1295}, {1000, 1000}, {1000, 1000}, {1000, 1000}},
	};
	struct decision decision = decide(&problem);

	EXPECT_EQ(decision.nr_changed, 0);
	decision__fini(&decision);
	problem.counts[0][1] = 1300;
	decision = decide(&problem);
	EXPECT_EQ(decision.nr_changed, 1);
	decision__fini(&decision);
}

/* Functions with few samples a run do not say how much runs differ. */
static void test_few_samples(void)
{
	static const struct problem problem = {
		.nr_units = 3,
		.nr_base = 3,
		.nr_new = 3,
		.counts = {{500, 500, 500, 500, 500, 500},
			   {400, 400, 400, 400, 400, 400},
			   {18, 0, 1, 18, 0, 1}},
	};
	struct decision decision = decide(&problem);

	EXPECT_EQ(decision.nr_tested, 3);
	EXPECT(decision.cv_estimated);
	EXPECT_NEAR(decision.cv, 0, 0);
	decision__fini(&decision);
}

/*
 * All but a hundredth is in a total, and the hundredth is unsteady: neither does that say how much
 * functions differ from run to run, nor is the total slower because less of the rest was there.
 */
static void test_nearly_everything(void)
{
	static const struct problem problem = {
		.nr_units = 4,
		.nr_base = 3,
		.nr_new = 3,
		.counts = {{5000, 5010, 4990, 5010, 5000, 4990},
			   {4900, 4890, 4910, 4900, 4910, 4890},
			   {200, 20, 120, 60, 50, 40},
			   {9900, 9900, 9900, 9910, 9910, 9880}},
		.kinds = {[3] = UNIT_TOTAL},
	};
	struct decision decision = decide(&problem);

	EXPECT(decision.findings[3].log_ratio > log(2));
	EXPECT(decision.findings[3].floor_up > log(1.4));
	EXPECT(decision.findings[3].verdict != VERDICT_REGRESSED);
	decision__fini(&decision);
}

/* A total that is a quarter larger; on one side a part of all stacks lacks callers. */
static struct decision decide_incomplete(double base, double new)
{
	struct problem problem = {
		.nr_units = 3,
		.nr_base = 3,
		.nr_new = 3,
		.counts = {{50000, 50010, 50020, 50000, 50010, 50020},
			   {50000, 49990, 49980, 50000, 49990, 49980},
			   {40000, 40010, 39990, 50000, 50010, 49990}},
		.kinds = {[2] = UNIT_TOTAL},
		.incomplete = {base, base, base, new, new, new},
	};

	return decide(&problem);
}

static void test_incomplete(void)
{
	struct decision decision = decide_incomplete(0.04, 0.04);

	EXPECT_EQ(decision.findings[2].verdict, VERDICT_REGRESSED);
	EXPECT_NEAR(decision.incomplete[SIDE_BASE], 0.04, 1e-12);
	EXPECT_NEAR(decision.findings[2].blur_up, 0, 0);
	decision__fini(&decision);

	/* A tenth of base's samples would have been enough to look like this. */
	decision = decide_incomplete(0.1, 0);
	EXPECT_EQ(decision.findings[2].verdict, VERDICT_NOT_ENOUGH);
	EXPECT_NEAR(decision.findings[2].blur_up, log(0.5 / 0.5) - log(0.4 / 0.6), 1e-4);
	EXPECT_NEAR(decision.findings[2].blur_down, 0, 0);
	EXPECT_NEAR(decision.findings[0].blur_up, 0, 0); /* leaves are always known */
	decision__fini(&decision);

	/* The new side lacks callers: the part that it has is slower all the same. */
	decision = decide_incomplete(0, 0.1);
	EXPECT_EQ(decision.findings[2].verdict, VERDICT_REGRESSED);
	decision__fini(&decision);

	decision = decide_incomplete(0.7, 0);
	EXPECT_EQ(decision.findings[2].verdict, VERDICT_NOT_ENOUGH);
	EXPECT(isinf(decision.findings[2].blur_up) && isinf(decision.findings[2].needed_runs));
	decision__fini(&decision);
}

static void test_own_effect(void)
{
	struct problem problem = {
		.nr_units = 3,
		.nr_base = 3,
		.nr_new = 3,
		.counts = {{50000, 50010, 50020, 50000, 50010, 50020},
			   {30000, 30010, 29990, 33000, 33010, 32990},
			   {20000, 19990, 20010, 20000, 19990, 20010}},
	};
	struct decision decision = decide(&problem);

	EXPECT_EQ(decision.findings[1].verdict, VERDICT_REGRESSED);
	decision__fini(&decision);
	problem.min_effect[1] = 0.2;
	decision = decide(&problem);
	EXPECT_EQ(decision.findings[1].verdict, VERDICT_UNCHANGED);
	EXPECT_NEAR(decision.findings[1].floor_up, log(1.2), 1e-12);
	EXPECT_NEAR(decision.findings[0].floor_up, log(1.05), 1e-12);
	decision__fini(&decision);
}

/* 1.5 without slices; 1 where each slice is like the next; 10 at most where units take turns. */
static void test_bursts(void)
{
	struct problem problem = {
		.nr_units = 4,
		.nr_base = 1,
		.nr_new = 1,
		.counts = {{3200, 3200}, {3200, 3200}, {3200, 3200}, {3200, 3200}},
		.nr_slices = 64,
	};
	struct decision decision;

	for (size_t i = 0; i < 64; i++) {
		for (size_t u = 0; u < 4; u++)
			problem.slices[u][i] = 50;
	}
	decision = decide(&problem);
	EXPECT_EQ(decision.phi_source, PHI_ESTIMATED);
	EXPECT_NEAR(decision.phi, 1, 0);
	decision__fini(&decision);

	for (size_t i = 0; i < 64; i++) {
		for (size_t u = 0; u < 4; u++)
			problem.slices[u][i] = (i / 2 + u) % 4 == 0 ? 200 : 0;
	}
	decision = decide(&problem);
	EXPECT_NEAR(decision.phi, 10, 0);
	decision__fini(&decision);

	problem.nr_slices = 1;
	decision = decide(&problem);
	EXPECT_EQ(decision.phi_source, PHI_ASSUMED_BURSTS);
	EXPECT_NEAR(decision.phi, 1.5, 0);
	decision__fini(&decision);
}

/* With the runs that it asks for, the change that it speaks of is found. */
static void test_needed(void)
{
	struct problem problem = {
		.nr_units = 4,
		.nr_base = 2,
		.nr_new = 2,
		.counts = {{1000, 1020, 1060, 1040},
			   {800, 810, 790, 820},
			   {700, 690, 710, 700},
			   {500, 510, 490, 500}},
	};
	struct decision_options options = decision_options__default();
	struct decision decision = decide(&problem);
	double narrow, wide;

	EXPECT_EQ(decision.findings[0].verdict, VERDICT_NOT_ENOUGH);
	narrow = decision.findings[0].needed_runs;
	EXPECT(narrow > 2 && narrow < 1000);
	decision__fini(&decision);
	options.min_effect = 0.07; /* and so 14 %, not 10 %, are to be found */
	EXPECT_EQ(decide_with(&decision, &problem, &options), 0);
	wide = decision.findings[0].needed_runs;
	EXPECT(wide >= 3 && wide < narrow);
	decision__fini(&decision);
}

/* Units 0 and 1 take turns, unit 7 doubles at the end; the others are as they were. */
static struct problem make_turns(void)
{
	struct problem problem = {.nr_units = 8, .nr_base = 1, .nr_new = 1, .nr_slices = 10};

	for (size_t i = 0; i < 10; i++) {
		problem.slices[0][i] = i % 2 ? 200 : 0;
		problem.slices[1][i] = i % 2 ? 0 : 200;
		for (size_t u = 2; u < 8; u++)
			problem.slices[u][i] = 100;
	}
	for (size_t u = 0; u < 8; u++) {
		for (size_t i = 0; i < 10; i++)
			problem.counts[u][0] += problem.slices[u][i];
		problem.counts[u][1] = 100;
	}
	problem.counts[0][1] = 200;
	problem.counts[1][1] = 0;
	problem.counts[7][1] = 200;
	return problem;
}

/* Parts of base as long as new show the units that take turns; all of base at once does not. */
static void test_phases(void)
{
	struct problem problem = make_turns();
	struct decision_options options = decision_options__default();
	struct decision decision;

	options.phases = true;
	EXPECT_EQ(decide_with(&decision, &problem, &options), 0);
	EXPECT_EQ(decision.phi_source, PHI_BY_UNIT);
	EXPECT_NEAR(decision.phi, 1, 0);
	/* (200 - 100)^2 in each of ten parts of 800, whose mean share is an eighth */
	EXPECT_NEAR(decision.findings[0].phi, 10 * 10000 / (800 * 0.125 * 0.875) / 9, 1e-9);
	EXPECT_NEAR(decision.findings[7].phi, 1, 0);
	EXPECT_EQ(decision.findings[0].verdict, VERDICT_NOT_ENOUGH);
	EXPECT_EQ(decision.findings[1].verdict, VERDICT_NOT_ENOUGH);
	EXPECT_EQ(decision.findings[7].verdict, VERDICT_REGRESSED);
	EXPECT_EQ(decision.nr[VERDICT_REGRESSED] + decision.nr[VERDICT_IMPROVED], 1);
	decision__fini(&decision);

	/* Unit 7 had as many samples once before as it has now. */
	problem.slices[7][0] += 150;
	problem.counts[7][0] += 150;
	EXPECT_EQ(decide_with(&decision, &problem, &options), 0);
	EXPECT_EQ(decision.findings[7].verdict, VERDICT_NOT_ENOUGH);
	decision__fini(&decision);

	/* Seven parts are too few to learn from. */
	problem.nr_slices = 7;
	EXPECT_EQ(decide_with(&decision, &problem, &options), 0);
	EXPECT(decision.phi_source != PHI_BY_UNIT);
	decision__fini(&decision);
}

int main(void)
{
	static const struct test tests[] = {
		{"three runs a side", test_replicated},
		{"one run a side", test_one_run},
		{"sides changed", test_mirror},
		{"share only", test_share_only},
		{"own change beside a large one", test_own_change_beside},
		{"a function that is gone", test_gone},
		{"a program of two units", test_two_units},
		{"two readings of two units", test_two_readings},
		{"few stayed", test_few_stayed},
		{"many gone and new", test_many_gone_and_new},
		{"machine units", test_machine},
		{"rates", test_rates},
		{"rates_of_everything", test_rates_of_everything},
		{"new and vanished", test_new_and_vanished},
		{"too small to matter", test_small},
		{"the bound of a change", test_change_bound},
		{"few samples a run", test_few_samples},
		{"a unit's own effect", test_own_effect},
		{"nearly everything", test_nearly_everything},
		{"stacks that lack callers", test_incomplete},
		{"bursts", test_bursts},
		{"phases", test_phases},
		{"runs needed", test_needed},
		{0},
	};

	return run_tests("decision", tests);
}
