// SPDX-License-Identifier: GPL-2.0-only
/* What a run takes, against numbers worked out by hand. */
#include "diff/totals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "scratch.h"

static char text[256];

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
	totals = totals__of(&files);
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
 * 90, 100, 110 and 190, 200, 210: variances are 100, those of the means 100 / 3. The ratio is 2, its
 * squared relative error 100 / 3 / 10000 + 100 / 3 / 40000 = 1 / 240, Welch's degrees of freedom
 * (1/300 + 1/1200)^2 / ((1/300)^2 / 2 + (1/1200)^2 / 2) = 2.9412, and t there 3.2196.
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

int main(void)
{
	static const struct test tests[] = {
		{"means and their interval", test_samples},
		{"one run a side", test_single},
		{"runs that are all alike", test_equal},
		{0},
	};

	scratch_create();
	return run_tests("totals", tests);
}
