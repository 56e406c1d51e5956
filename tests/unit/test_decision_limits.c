// SPDX-License-Identifier: GPL-2.0-only
/* Comparisons of nothing, of next to nothing, of everything, and of nonsense: all have an answer.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "problem.h"

static void expect_undecided(const struct decision *decision, enum untested reason)
{
	for (size_t u = 0; u < decision->nr_units; u++) {
		EXPECT_EQ(decision->findings[u].untested, reason);
		EXPECT_NEAR(decision->findings[u].p_up, 1, 0);
		EXPECT_NEAR(decision->findings[u].low, 0, 0);
		EXPECT(isinf(decision->findings[u].high));
		EXPECT(isfinite(decision->findings[u].log_ratio));
		EXPECT(isfinite(decision->findings[u].share[SIDE_NEW]));
	}
	EXPECT_EQ(decision->nr_tested, 0);
	EXPECT_EQ(decision->nr[VERDICT_REGRESSED] + decision->nr[VERDICT_IMPROVED], 0);
	EXPECT_EQ(decision->nr[VERDICT_UNCHANGED], 0);
	EXPECT_NEAR(decision->spread, 0, 0);
}

static void test_empty_side(void)
{
	struct problem problem = one_run;
	struct decision decision;

	for (size_t u = 0; u < problem.nr_units; u++)
		problem.counts[u][1] = 0;
	decision = decide(&problem); /* a run without samples */
	expect_undecided(&decision, UNTESTED_EMPTY_SIDE);
	EXPECT_EQ(decision.nr[VERDICT_NOT_ENOUGH], 5);
	EXPECT(isinf(decision.found_effect));
	EXPECT_EQ(decision.nr_runs[SIDE_NEW], 0);
	decision__fini(&decision);

	problem.nr_new = 0; /* no run */
	decision = decide(&problem);
	expect_undecided(&decision, UNTESTED_EMPTY_SIDE);
	decision__fini(&decision);

	problem.nr_base = 0; /* nothing at all */
	decision = decide(&problem);
	expect_undecided(&decision, UNTESTED_EMPTY_SIDE);
	decision__fini(&decision);
	problem.nr_units = 0;
	decision = decide(&problem);
	EXPECT_EQ(decision.nr_units, 0);
	decision__fini(&decision);
}

/* An empty run beside others is as if it were not there. */
static void test_empty_run(void)
{
	struct problem problem = replicated;
	struct decision without = decide(&problem), with;

	problem.nr_new = 4;
	with = decide(&problem);
	EXPECT_EQ(with.nr_runs[SIDE_NEW], 3);
	EXPECT_EQ(with.between_df, 4);
	for (size_t u = 0; u < problem.nr_units; u++)
		EXPECT_NEAR(with.findings[u].p_up, without.findings[u].p_up, 0);
	decision__fini(&with);
	decision__fini(&without);
}

static void test_one_sample(void)
{
	static const struct problem problem = {
		.nr_units = 2, .nr_base = 1, .nr_new = 1, .counts = {{1, 0}, {0, 1}}};
	struct decision decision = decide(&problem);

	expect_undecided(&decision, UNTESTED_NO_REFERENCE);
	EXPECT_EQ(decision.nr[VERDICT_NOT_ENOUGH], 2);
	EXPECT(isinf(decision.found_effect));
	decision__fini(&decision);
}

/* Its share is 100 %, whatever it costs. */
static void test_one_unit(void)
{
	static const struct problem problem = {
		.nr_units = 2,
		.nr_base = 2,
		.nr_new = 2,
		.counts = {{10000, 10000, 20000, 20000}, {10000, 10000, 20000, 20000}},
		.kinds = {UNIT_SELF, UNIT_TOTAL},
	};
	struct decision decision = decide(&problem);

	expect_undecided(&decision, UNTESTED_NO_REFERENCE);
	EXPECT_EQ(decision.nr[VERDICT_NOT_ENOUGH], 2);
	EXPECT(isinf(decision.found_effect)); /* no gate is green for having seen nothing */
	decision__fini(&decision);
}

/* Sums beyond 64 bits, and 5,000 samples that are told from 2^63. */
static void test_huge(void)
{
	static const struct problem problem = {
		.nr_units = 4,
		.nr_base = 2,
		.nr_new = 2,
		.counts = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX},
			   {1ULL << 63, 1ULL << 63, UINT64_MAX, UINT64_MAX},
			   {1ULL << 63, 1ULL << 63, 1ULL << 63, 1ULL << 63},
			   {5000, 5000, 5000, 5000}},
	};
	static const struct problem lopsided = {
		.nr_units = 2,
		.nr_base = 1,
		.nr_new = 1,
		.counts = {{UINT64_MAX, UINT64_MAX}, {5000, 5000}},
	};
	struct decision decision = decide(&problem);

	EXPECT_EQ(decision.findings[1].verdict, VERDICT_REGRESSED);
	EXPECT_NEAR(exp(decision.findings[1].log_ratio), 2, 1e-9);
	EXPECT_EQ(decision.findings[0].verdict, VERDICT_UNCHANGED);
	EXPECT_EQ(decision.findings[2].verdict, VERDICT_UNCHANGED);
	EXPECT(isfinite(decision.findings[3].log_ratio));
	decision__fini(&decision);

	decision = decide(&lopsided);
	EXPECT_EQ(decision.findings[0].untested, TESTED);
	EXPECT_NEAR(decision.findings[0].log_ratio, 0, 1e-9);
	decision__fini(&decision);
}

/* A total that claims more than there is, as broken input may. */
static void test_inconsistent(void)
{
	struct problem problem = replicated;
	struct decision decision;

	for (size_t run = 0; run < 6; run++)
		problem.counts[4][run] = UINT64_MAX;
	decision = decide(&problem);
	EXPECT_EQ(decision.findings[4].untested, UNTESTED_NO_REFERENCE);
	EXPECT_EQ(decision.findings[1].verdict, VERDICT_REGRESSED);
	decision__fini(&decision);
}

int main(void)
{
	static const struct test tests[] = {
		{"an empty side", test_empty_side},
		{"an empty run", test_empty_run},
		{"one sample", test_one_sample},
		{"all samples in one unit", test_one_unit},
		{"counts near 2^63", test_huge},
		{"inconsistent counts", test_inconsistent},
		{0},
	};

	return run_tests("decision limits", tests);
}
