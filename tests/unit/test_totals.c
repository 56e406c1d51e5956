// SPDX-License-Identifier: GPL-2.0-only
/* The totals of runs, against numbers worked out by hand. */
#include "diff/matching/totals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "scratch.h"

static char text[256];
static const struct decision_options options = {.alpha = 0.02, .min_effect = 0.05};

static struct totals totals_of(const char *const *base, const char *const *new)
{
	struct run_files files = {0};
	struct error err = {0};
	struct totals totals;

	for (int i = 0; base[i]; i++) {
		char name[32];

		snprintf(name, sizeof(name), "base-%d", i);
		scratch_write(name, base[i]);
		EXPECT_EQ(run_files__add(&files, scratch_path(name), SIDE_BASE, &err), 0);
	}
	for (int i = 0; new[i]; i++) {
		char name[32];

		snprintf(name, sizeof(name), "new-%d", i);
		scratch_write(name, new[i]);
		EXPECT_EQ(run_files__add(&files, scratch_path(name), SIDE_NEW, &err), 0);
	}
	EXPECT_EQ(run_files__read(&files, &err), 0);
	totals__init(&totals, &files, &options);
	run_files__free(&files);
	return totals;
}

static const char *words(const struct totals *totals)
{
	FILE *out = fmemopen(text, sizeof(text), "w");

	totals__print(out, totals, "faults");
	fclose(out);
	return text;
}

/*
 * 90, 100, 110 and 190, 200, 210: variances are 100, those of the means 100 / 3. The ratio is 2,
 * its squared relative error is 100 / 3 / 10000 + 100 / 3 / 40000 = 1 / 240, Welch's degrees of
 * freedom are (1/300 + 1/1200)^2 / ((1/300)^2 / 2 + (1/1200)^2 / 2) = 2.9412, and t there is
 * 3.2196.
 */
static void test_samples(void)
{
	static const char *const base[] = {"f 90\n", "f 100\n", "f 110\n", NULL};
	static const char *const new[] = {"f 190\n", "f 200\n", "f 210\n", NULL};
	const struct totals totals = totals_of(base, new);

	EXPECT_NEAR(totals.samples[SIDE_BASE], 100, 1e-9);
	EXPECT_NEAR(totals.samples[SIDE_NEW], 200, 1e-9);
	EXPECT_NEAR(totals.change, 1, 1e-9);
	EXPECT_NEAR(totals.half, 2 * sqrt(1 / 240.0) * 3.2196, 0.001);
	EXPECT_STR(words(&totals), "faults a run: 100 → 200, +100.0 % ± 42\n");
}

/* One run a side tells nothing of how runs differ. */
static void test_single(void)
{
	static const char *const base[] = {"f 100\n", NULL}, *const new[] = {"f 90\n", NULL};
	const struct totals totals = totals_of(base, new);

	EXPECT(isnan(totals.half));
	EXPECT_STR(words(&totals), "faults a run: 100 → 90, -10.0 %\n");
}

static void test_equal(void)
{
	static const char *const base[] = {"f 100\n", "f 100\n", NULL};
	const struct totals totals = totals_of(base, base);

	EXPECT_NEAR(totals.half, 0, 1e-9);
	EXPECT_STR(words(&totals), "faults a run: 100 → 100, +0.0 % ± 0\n");
}

/*
 * The runs are disturbed, as on a shared core. All of the second side's are above all of the
 * first's, beyond the margin too: of 252 orders of five and five this is one, and there is one like
 * it.
 */
static double disturbed[] = {830, 1600, 900, 1200, 870};
static double slower[] = {1700, 3100, 1720, 2400, 1800};
static double alike[] = {1500, 840, 860, 910, 1550};

static enum verdict verdict_of(double *base, double *new, size_t nr, bool *need_ranks)
{
	const struct run_values sides[SIDES] = {{base, nr}, {new, nr}};
	struct totals totals = {0};

	totals__compare(&totals, sides, &options);
	*need_ranks = totals.need_ranks;
	totals__judge(&totals, &options);
	return totals.verdict;
}

static void test_disturbed(void)
{
	bool need_ranks;

	EXPECT_EQ(verdict_of(disturbed, slower, 5, &need_ranks), VERDICT_REGRESSED);
	EXPECT(need_ranks);
	EXPECT_EQ(verdict_of(slower, disturbed, 5, &need_ranks), VERDICT_IMPROVED);
	EXPECT_EQ(verdict_of(disturbed, alike, 5, &need_ranks), VERDICT_NOT_ENOUGH);
	EXPECT(need_ranks);
}

/* Four and four have 70 orders, of which one is 1.4 %: no order of theirs is rare enough. */
static void test_too_few_for_ranks(void)
{
	bool need_ranks;

	EXPECT_EQ(verdict_of(disturbed, slower, 4, &need_ranks), VERDICT_NOT_ENOUGH);
	EXPECT(!need_ranks);
}

/* Ratios of 3, 2 and 6 to 1 and 2 are 3, 2, 6, 1.5, 1, 3; the median of them is 2.5. */
static void test_ranks(void)
{
	double base[] = {1, 2}, new[] = {3, 2, 6};
	const struct run_values a = {base, 2}, b = {new, 3};

	double ratio = 0;

	ratio = ranks__ratio(&a, &b);
	EXPECT_NEAR(ratio, 2.5, 1e-9);
	/* 2 is not above 2: of 10 orders two have at most one pair in the wrong order. */
	EXPECT_NEAR(ranks__p_above(&a, &b, 1), 0.2, 1e-9);
	/* None of three is above 10 times 1: every order is as far apart. */
	EXPECT_NEAR(ranks__p_above(&a, &b, 10), 1, 1e-9);
}

static void test_steady(void)
{
	double base[] = {100, 101, 99, 100, 100}, new[] = {110, 111, 109, 110, 110};
	bool need_ranks;

	verdict_of(base, new, 5, &need_ranks);
	EXPECT(!need_ranks);
}

static struct run_file run_of(enum side side, const struct metric *weight, uint64_t count,
			      uint64_t weighs)
{
	const struct metrics metrics = {
		.of = {[VALUE_COUNT] = {.name = weight->name, .unit = "count", .is_events = true},
		       [VALUE_WEIGHT] = *weight}};
	struct run_file file = {.path = "x", .side = side, .is_read = true};
	struct sample sample = {.values = {count, weighs}};

	recording__init(&file.recording);
	profile__set_metrics(file.recording.profile, &metrics);
	sample.stack = dictionary__add_stack(profile__dictionary(file.recording.profile), NULL, 0);
	sample.process = dictionary__add_process(profile__dictionary(file.recording.profile),
						 &(struct process){.pid = 1});
	profile__add(file.recording.profile, &sample);
	return file;
}

static const char *words_of(const struct metric *weight, uint64_t count, uint64_t base,
			    uint64_t new)
{
	struct run_file list[] = {run_of(SIDE_BASE, weight, count, base),
				  run_of(SIDE_NEW, weight, new, new)};
	struct run_files files = {.list = list, .nr = 2};
	struct totals totals;
	const char *told;

	totals__init(&totals, &files, &options);
	told = words(&totals);
	recording__fini(&list[0].recording);
	recording__fini(&list[1].recording);
	return told;
}

/*
 * The first base takes one event in 100, and new takes each: as many happened. A time other than
 * CPU time is not called so.
 */
static void test_periods(void)
{
	EXPECT_STR(
		words_of(&(struct metric){.name = "faults", .unit = "events"}, 400, 40000, 44000),
		"faults a run: 40,000 → 44,000, +10.0 %\n");
	EXPECT_STR(words_of(&(struct metric){.name = "faults", .unit = "nanoseconds"}, 400, 40000,
			    440),
		   "faults a run: 400 → 440, +10.0 %\n");
	EXPECT_STR(words_of(&(struct metric){.name = "cpu", .unit = "nanoseconds"}, 400, 1000000,
			    2000000),
		   "CPU time a run: 1 ms → 2 ms, +100.0 %; faults a run: 400 → 2,000,000\n");
}

/* The print tells weights, and does not say that they were judged. */
static void test_weights(void)
{
	const struct metric bytes = {.name = "touched", .unit = "bytes"};
	const struct metric widgets = {.name = "made", .unit = "widgets"};
	struct totals totals = {.weight = &bytes, .weights = {3e6, 3e8}};
	FILE *out = fmemopen(text, sizeof(text), "w");

	totals__print_weights(out, &totals, "faults");
	fclose(out);
	EXPECT_STR(text, "compared are counts of faults; their weight is not judged, as nothing "
			 "tells how much of it is chance: 3 MB → 300 MB a run\n");
	totals.weight = &widgets;
	out = fmemopen(text, sizeof(text), "w");
	totals__print_weights(out, &totals, "faults");
	fclose(out);
	EXPECT(strstr(text, ": 3,000,000 → 300,000,000 widgets a run\n") != NULL);
}

int main(void)
{
	static const struct test tests[] = {
		{"what stands for more, and other times", test_periods},
		{"means and their interval", test_samples},
		{"weights", test_weights},
		{"one run a side", test_single},
		{"runs that are all alike", test_equal},
		{"runs that are disturbed are compared by order", test_disturbed},
		{"too few runs have no rare order", test_too_few_for_ranks},
		{"ranks against hand-counted orders", test_ranks},
		{"means suffice where runs are steady", test_steady},
		{0},
	};

	scratch_create();
	return run_tests("totals", tests);
}
