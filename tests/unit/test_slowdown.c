// SPDX-License-Identifier: GPL-2.0-only
/*
 * The estimate of what a rate costs others, against the loss of a bystander: 6 to 10 % at 4,999 Hz.
 */
#include "views/rate.h"

#include "expect.h"

static char text[128];

static int describe(double rate_hz, unsigned int nr_cpus)
{
	return rate__describe_slowdown(rate_hz, nr_cpus, text, sizeof(text));
}

static void test_noticed(void)
{
	EXPECT_EQ(describe(4999, 2), 78);
	EXPECT_STR(
		text,
		"at 4999 Hz programs on 2 CPUs run some 8 % slower; -C narrows it, -F lowers it");
	EXPECT(describe(19999, 1) > 0);
	EXPECT_STR(text, "at 19999 Hz programs on 1 CPU run some 32 % slower; -F lowers it");
}

static void test_unnoticed(void)
{
	EXPECT_EQ(describe(0.01, 1), 0);
	EXPECT_EQ(describe(99, 512), 0);
	EXPECT_EQ(describe(999, 2), 0);
}

/* The estimate never reaches the whole CPU. */
static void test_bound(void)
{
	EXPECT(describe(100000, 8191) > 0);
	EXPECT_STR(text, "at 100000 Hz programs on 8191 CPUs run some 90 % slower; -C narrows it, "
			 "-F lowers it");
	EXPECT(rate__describe_slowdown(4999, 2, NULL, 0) > 0);
}

int main(void)
{
	static const struct test tests[] = {
		{"a high rate has a sentence", test_noticed},
		{"a usual rate has none", test_unnoticed},
		{"the highest rate", test_bound},
		{0},
	};

	return run_tests("slowdown", tests);
}
