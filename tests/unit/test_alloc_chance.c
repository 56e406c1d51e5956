// SPDX-License-Identifier: GPL-2.0-only
/* The arithmetic of sampling by bytes is compared with libm. */
#include "../../preload/chance.h"

#include <math.h>

#include "expect.h"

static void expect_gap(uint64_t random, uint64_t mean)
{
	const double truth = -log((double)random * 0x1p-64) * (double)mean;

	/*
	 * A gap is in whole bytes, rounded down. A double keeps 53 of the 64 bits, so that log() is
	 * off by 2^-53 near 1.
	 */
	EXPECT_NEAR((double)chance__gap(random, mean), truth - 0.5, 0.5 + 1e-12 * (double)mean);
}

static void test_gaps(void)
{
	uint64_t state = 1;

	for (int bits = 0; bits < 64; bits++)
		for (uint64_t mean = 2; mean <= 1ULL << 40; mean *= 8) {
			expect_gap(1ULL << bits, mean);
			expect_gap((2ULL << bits) - 1, mean);
			expect_gap(chance__next(&state) >> bits | 1, mean);
		}
	/* Random bits that are all 0 are worth no more than the next. */
	EXPECT_EQ((long long)chance__gap(0, 1000), (long long)chance__gap(1, 1000));
}

static void test_of_hit(void)
{
	double worst = 0;

	for (double size = 1; size < 0x1p63; size *= 1.37)
		for (double mean = 2; mean <= 0x1p40; mean = floor(mean * 1.61)) {
			const double truth = -expm1(-floor(size) / mean);
			const uint64_t chance = chance__of_hit((uint64_t)size, (uint64_t)mean);

			EXPECT(chance > 0 && chance <= CHANCE_ONE);
			worst = fmax(worst, fabs((double)chance / CHANCE_ONE / truth - 1));
		}
	EXPECT(worst < 1e-6);
	EXPECT(chance__of_hit(UINT64_MAX, 2) >= CHANCE_ONE - 1);
}

/*
 * Gaps are exponential, by the largest distance between the draws and the distribution (Kolmogorov
 * and Smirnov).
 */
static void test_exponential(void)
{
	enum { NR_DRAWS = 100000, NR_BINS = 1000 };
	const uint64_t mean = 524288;
	static int bins[NR_BINS + 1];
	uint64_t state = 42;
	double sum = 0, distance = 0;
	int below = 0;

	for (int i = 0; i < NR_DRAWS; i++) {
		const uint64_t gap = chance__gap(chance__next(&state), mean);
		const uint64_t bin = gap * 100 / mean;

		sum += (double)gap;
		bins[bin < NR_BINS ? bin : NR_BINS]++;
	}
	for (int i = 0; i < NR_BINS; i++) {
		below += bins[i];
		distance = fmax(distance, fabs((double)below / NR_DRAWS + expm1(-(i + 1) / 100.0)));
	}
	EXPECT_NEAR(sum / NR_DRAWS / (double)mean, 1, 3 / sqrt(NR_DRAWS));
	EXPECT(distance < 1.63 / sqrt(NR_DRAWS)); /* 1 % of all such draws are farther */
}

int main(void)
{
	static const struct test tests[] = {
		{"gaps are logarithms", test_gaps},
		{"the chance of a hit", test_of_hit},
		{"gaps are exponential", test_exponential},
		{0},
	};

	return run_tests("alloc_chance", tests);
}
