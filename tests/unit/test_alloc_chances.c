// SPDX-License-Identifier: GPL-2.0-only
/*
 * Blocks that chance chooses add up, in the long run, to the bytes allocated: by formulas, and by
 * throwing dice.
 */
#include "capture/sources/alloc_chances.h"

#include <math.h>
#include <stdio.h>

#include "expect.h"

static const uint64_t means[] = {1, 16, 1000, 65536, 524288, 1ULL << 40};

#define MEANS (sizeof(means) / sizeof(means[0]))

static struct alloc_chances chances;

/* xorshift64* */
static uint64_t throw(uint64_t * state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL;
}

/* A million gaps have this mean, and the part of them above the mean is e^-1. */
static void test_gaps(void)
{
	const unsigned int nr = 1000000;
	uint64_t state = 88172645463325252ULL;

	for (size_t i = 2; i < MEANS; i++) {
		double sum = 0, above = 0;

		alloc_chances__fill(&chances, means[i]);
		for (unsigned int n = 0; n < nr; n++) {
			const uint64_t gap = alloc_chances__gap(&chances, throw(&state));

			sum += (double)gap / (double)means[i];
			above += gap > means[i];
		}
		EXPECT_NEAR(sum / nr, 1, 0.004);
		EXPECT_NEAR(above / nr, exp(-1), 0.003);
	}
}

static void test_weights(void)
{
	for (size_t i = 0; i < MEANS; i++) {
		const double mean = (double)means[i];

		alloc_chances__fill(&chances, means[i]);
		for (double size = 1; size < 100 * mean && size < 1e15; size *= 1.37) {
			const double asked = floor(size);
			const double exact = asked / -expm1(-asked / mean);
			const uint64_t weight = alloc_chances__weight(&chances, (uint64_t)asked);

			EXPECT_NEAR((double)weight, exact, 1e-4 * exact + 0.51);
			EXPECT(weight >= (uint64_t)asked);
		}
		EXPECT_EQ(alloc_chances__weight(&chances, 16 * means[i]), 16 * means[i]);
		EXPECT_EQ(alloc_chances__weight(&chances, UINT64_MAX), UINT64_MAX);
	}
}

/*
 * So many blocks of a size are mixed with others: the weights of the sampled ones add up to all of
 * them.
 */
static void expect_total(uint64_t size, uint64_t other, size_t nr)
{
	uint64_t state = 88172645463325252ULL;
	double weight = 0, hits = 0;
	const double all = (double)size * (double)nr;
	int64_t left;

	left = (int64_t)alloc_chances__gap(&chances, throw(&state));
	for (size_t i = 0; i < 2 * nr; i++) {
		const uint64_t block = i % 2 ? other : size;

		left -= (int64_t)block;
		if (left > 0)
			continue;
		left = (int64_t)alloc_chances__gap(&chances, throw(&state));
		if (!(i % 2)) {
			weight += (double)alloc_chances__weight(&chances, size);
			hits++;
		}
	}
	EXPECT(hits > 100);
	EXPECT_NEAR(weight / all, 1, 4 / sqrt(hits));
}

static void test_totals(void)
{
	alloc_chances__fill(&chances, 65536);
	expect_total(16, 100000, 4000000);
	expect_total(100, 3, 4000000);
	expect_total(4096, 64, 200000);
	expect_total(65536, 200, 20000);
	expect_total(500000, 32, 2000);
	expect_total(2000000, 65536, 2000);
	alloc_chances__fill(&chances, 4096); /* where a byte more or less would show */
	expect_total(8, 3, 4000000);
}

int main(void)
{
	static const struct test tests[] = {
		{"gaps", test_gaps},
		{"weights", test_weights},
		{"totals", test_totals},
		{0},
	};

	return run_tests("alloc_chances", tests);
}
