// SPDX-License-Identifier: GPL-2.0-only
/* Sums of weights that are larger than any number. */

#include "expect.h"

#include "../../kern/maps/weights.bpf.h"

static __u64 add(__u64 sum, __u64 weight)
{
	return sum + weights__that_fits(sum, weight);
}

static void test_sums(void)
{
	const __u64 quarter = 1ULL << 62;

	EXPECT_EQ(add(0, 0), 0);
	EXPECT_EQ(add(4096, 512), 4608);
	EXPECT_EQ(add(ABI_MAX_WEIGHT - 1, 1), ABI_MAX_WEIGHT);
	EXPECT_EQ(add(ABI_MAX_WEIGHT, 0), ABI_MAX_WEIGHT);
	EXPECT_EQ(add(add(quarter, quarter), quarter), ABI_MAX_WEIGHT);
	EXPECT_EQ(add(add(add(quarter, quarter), quarter), quarter), ABI_MAX_WEIGHT);
	EXPECT_EQ(add(2 * ABI_MAX_WEIGHT, ABI_MAX_WEIGHT), 2 * ABI_MAX_WEIGHT); /* two at once */
}

int main(void)
{
	static const struct test tests[] = {
		{"sums stay at the largest", test_sums},
		{0},
	};

	return run_tests("weights", tests);
}
