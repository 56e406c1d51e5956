// SPDX-License-Identifier: GPL-2.0-only
/*
 * Estimates of allocated bytes are tested with blocks of known sizes; and blocks are known as
 * samples or not.
 */
#include "../../preload/gaps.h"
#include "../../preload/marks.h"

#include <math.h>
#include <stdlib.h>

#include "expect.h"

#define NR_RUNS	   200
#define NR_CLASSES 12
#define MEAN	   (64ULL << 10)

/* 16 bytes to 64 MiB, by fours. */
static uint64_t size_of_class(int class)
{
	return 16ULL << (2 * class);
}

/* As much of each class, in bytes, up to 4 MiB; one block at least. */
static int blocks_of_class(int class)
{
	const uint64_t blocks = (4ULL << 20) / size_of_class(class);

	return blocks ? (int)blocks : 1;
}

struct estimate {
	double bytes, blocks;
	uint64_t since; /* as samples tell */
	uint64_t allocated;
	int nr_samples;
};

static void allocate(struct gaps *gaps, uint64_t size, struct estimate *estimate)
{
	struct sampled sampled;

	estimate->allocated += size;
	if (gaps__pass(gaps, size))
		return;
	gaps__take(gaps, size, &sampled);
	estimate->bytes += (double)sampled.weight;
	estimate->blocks += (double)sampled.weight / (double)size;
	estimate->since += sampled.since;
	estimate->nr_samples++;
}

/*
 * The mean of the runs' sums is within 3 standard errors. A block of size S that is a sample with
 * chance p, and then counts as S / p, has variance S^2 (1 - p) / p; and a weight is rounded by
 * chance, of variance 1/4 at most.
 */
static void expect_mean(double sum, int nr_blocks, double size, double mean, double unit)
{
	const double chance = -expm1(-size / mean);
	const double variance = nr_blocks * (size * size * (1 - chance) / chance + 0.25);

	EXPECT_NEAR(sum / NR_RUNS, nr_blocks * size / unit, 3 * sqrt(variance / NR_RUNS) / unit);
}

/* Sizes in turns: small ones between large ones, as programs have them. */
static void run_once(uint64_t seed, struct estimate estimates[NR_CLASSES], struct estimate *all)
{
	struct gaps gaps = {0};
	const int most = blocks_of_class(0);

	gaps__begin(&gaps, MEAN, seed);
	for (int turn = 0; turn < most; turn++)
		for (int class = 0; class < NR_CLASSES; class ++) {
			if (turn % (most / blocks_of_class(class)))
				continue;
			const uint64_t since = estimates[class].since;

			allocate(&gaps, size_of_class(class), &estimates[class]);
			all->since += estimates[class].since - since;
			all->allocated += size_of_class(class);
		}
	EXPECT_EQ((long long)(all->since + gaps.gap - gaps.left), (long long)all->allocated);
}

static void test_estimates(void)
{
	double bytes[NR_CLASSES] = {0}, blocks[NR_CLASSES] = {0};

	for (uint64_t seed = 1; seed <= NR_RUNS; seed++) {
		struct estimate estimates[NR_CLASSES] = {0}, all = {0};

		run_once(seed, estimates, &all);
		for (int class = 0; class < NR_CLASSES; class ++) {
			bytes[class] += estimates[class].bytes;
			blocks[class] += estimates[class].blocks;
		}
	}
	for (int class = 0; class < NR_CLASSES; class ++) {
		const double size = (double)size_of_class(class);

		expect_mean(bytes[class], blocks_of_class(class), size, MEAN, 1);
		expect_mean(blocks[class], blocks_of_class(class), size, MEAN, size);
	}
}

/* Weights are whole bytes, and yet right on average where they are small. */
static void test_small_means(void)
{
	for (uint64_t mean = 2; mean <= 32; mean *= 2)
		for (uint64_t size = 1; size <= 3; size++) {
			struct estimate estimate = {0};

			for (uint64_t seed = 1; seed <= NR_RUNS; seed++) {
				struct gaps gaps = {0};

				gaps__begin(&gaps, mean, seed);
				for (int i = 0; i < 2000; i++)
					allocate(&gaps, size, &estimate);
			}
			expect_mean(estimate.bytes, 2000, (double)size, (double)mean, 1);
		}
}

static void test_every_block(void)
{
	struct gaps gaps = {0};
	struct estimate estimate = {0};

	gaps__begin(&gaps, 1, 7);
	for (int i = 1; i <= 1000; i++)
		allocate(&gaps, (uint64_t)i, &estimate);
	EXPECT_EQ(estimate.nr_samples, 1000);
	EXPECT(estimate.bytes == 500500 && estimate.blocks == 1000);
	EXPECT_EQ((long long)estimate.since, 500500);
}

/*
 * No block is of no bytes, and a block that could not be had leaves no trace, however large it was
 * to be.
 */
static void test_nothing(void)
{
	struct gaps gaps = {0};
	struct gaps before;

	gaps__begin(&gaps, MEAN, 7);
	before = gaps;
	EXPECT(gaps__pass(&gaps, 0));
	EXPECT(gaps__is_as(&gaps, before));
	for (uint64_t size = UINT64_MAX; size > gaps.left; size /= 2) {
		EXPECT(!gaps__pass(&gaps, size));
		gaps__give_back(&gaps, size);
		EXPECT(gaps__is_as(&gaps, before));
	}
	EXPECT(gaps__pass(&gaps, 1));
	EXPECT(!gaps__is_as(&gaps, before));
}

/* A first block is hit as often as any other: else short threads would never be seen. */
static void test_first_block(void)
{
	int nr_hits = 0;

	for (uint64_t seed = 1; seed <= 10000; seed++) {
		struct gaps gaps = {0};

		gaps__begin(&gaps, 1000, seed);
		nr_hits += !gaps__pass(&gaps, 100);
	}
	EXPECT_NEAR(nr_hits, 10000 * -expm1(-0.1), 3 * sqrt(10000 * 0.095 * 0.905));
}

static void *block(uint64_t number)
{
	return (void *)(uintptr_t)(0x7f0000001000 +
				   16 * number); /* NOLINT: an address, of nothing */
}

/*
 * Frees of many other blocks do not make a sample forgotten, and hardly one of them is taken for a
 * sample.
 */
static void test_marks(void)
{
	struct marks *marks = calloc(1, sizeof(*marks));
	int nr_found = 0, nr_wrong = 0;

	for (uint64_t i = 0; i < 20000; i++)
		marks__add(marks, block(100 * i));
	for (uint64_t i = 0; i < 2000000; i++)
		if (i % 100 && marks__may_have(marks, block(i)))
			nr_wrong += marks__remove(marks, block(i));
	for (uint64_t i = 0; i < 20000; i++)
		nr_found += marks__may_have(marks, block(100 * i)) &&
			    marks__remove(marks, block(100 * i));
	EXPECT_EQ(nr_found, 20000);
	EXPECT_EQ(nr_wrong, 0);
	for (uint64_t i = 0; i < 2000000; i++)
		nr_wrong += marks__may_have(marks, block(i));
	EXPECT_EQ(nr_wrong, 0);
	EXPECT(!marks__remove(marks, NULL));
	free(marks);
}

/* More than there is room for: none is lost, and others tell. */
static void test_too_many_marks(void)
{
	const uint64_t nr_blocks = 2ULL << MARKS_PLACES_BITS;
	struct marks *marks = calloc(1, sizeof(*marks));
	uint64_t nr_found = 0;

	for (uint64_t i = 0; i < nr_blocks; i++)
		marks__add(marks, block(7 * i));
	for (uint64_t i = 0; i < nr_blocks; i++)
		nr_found +=
			marks__may_have(marks, block(7 * i)) && marks__remove(marks, block(7 * i));
	EXPECT_EQ((long long)nr_found, (long long)nr_blocks);
	EXPECT(marks__remove(marks, block(0)));
	free(marks);
}

static void test_marked_for_ever(void)
{
	struct marks *marks = calloc(1, sizeof(*marks));

	marks__add_for_ever(marks, block(1));
	marks__add(marks, block(1));
	for (int i = 0; i < 3; i++) {
		EXPECT(marks__may_have(marks, block(1)));
		EXPECT(marks__remove(marks, block(1)));
	}
	free(marks);
}

int main(void)
{
	static const struct test tests[] = {
		{"estimates are right on average, for each size", test_estimates},
		{"with small means, too", test_small_means},
		{"a mean of 1 is every block", test_every_block},
		{"blocks of nothing, and none", test_nothing},
		{"first blocks", test_first_block},
		{"samples are known when they are freed", test_marks},
		{"more samples than room", test_too_many_marks},
		{"counts that never go down", test_marked_for_ever},
		{0},
	};

	return run_tests("alloc_gaps", tests);
}
