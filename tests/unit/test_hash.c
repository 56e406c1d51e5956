// SPDX-License-Identifier: GPL-2.0-only
/* The programs' hashes, compiled natively. */
#include "expect.h"

#include <stdint.h>
#include <stdlib.h>

#include "topstacks/hash.h"

#define NR_STACKS 20000

static int by_value(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static uint64_t hash_frames(const uint64_t *frames, int nr_frames)
{
	uint64_t hash = HASH_SEED;

	while (nr_frames--)
		hash = hash_word(hash, *frames++);
	return hash;
}

static uint64_t check_frames(const uint64_t *frames, int nr_frames)
{
	uint64_t hash = HASH_CHECK_SEED;

	while (nr_frames--)
		hash = hash_check_word(hash, *frames++);
	return hash;
}

static int count_equal(uint64_t *hashes, int nr_hashes)
{
	int i, equal = 0;

	qsort(hashes, (size_t)nr_hashes, sizeof(*hashes), by_value);
	for (i = 1; i < nr_hashes; i++)
		equal += hashes[i] == hashes[i - 1];
	return equal;
}

/* Stacks that differ in one return address by a few bytes, as those of one program do. */
static void test_similar_stacks(void)
{
	static uint64_t hashes[NR_STACKS], checks[NR_STACKS];
	uint64_t frames[14];
	int stack, level;

	for (stack = 0; stack < NR_STACKS; stack++) {
		for (level = 0; level < 14; level++)
			frames[level] = 0x555555554000 + 64 * (uint64_t)level +
					((stack >> level) & 1 ? 5 : 0) +
					(level == 13 ? (uint64_t)(stack >> 14) * 16 : 0);
		hashes[stack] = hash_frames(frames, 14) & ((1ULL << 62) - 1);
		checks[stack] = check_frames(frames, 14);
	}
	/* 20,000^2 / 2 pairs in 2^62: one collision in twenty billion such tests. */
	EXPECT_EQ(count_equal(hashes, NR_STACKS), 0);
	EXPECT_EQ(count_equal(checks, NR_STACKS), 0);
}

static void test_order_and_length(void)
{
	const uint64_t ab[] = {0x1000, 0x2000}, ba[] = {0x2000, 0x1000}, a0[] = {0x1000, 0};

	EXPECT(hash_frames(ab, 2) != hash_frames(ba, 2));
	EXPECT(hash_frames(a0, 1) != hash_frames(a0, 2));
	EXPECT(check_frames(ab, 2) != check_frames(ba, 2));
	EXPECT(check_frames(a0, 1) != check_frames(a0, 2));
}

/* The check is there for pairs that the key takes for one: it must not be a function of it. */
static void test_independent(void)
{
	uint64_t word, differing = 0;

	for (word = 1; word <= 64; word++)
		differing +=
			(hash_word(HASH_SEED, word) ^ hash_check_word(HASH_CHECK_SEED, word)) !=
			(hash_word(HASH_SEED, 0) ^ hash_check_word(HASH_CHECK_SEED, 0));
	EXPECT_EQ(differing, 64);
}

/*
 * One image of several owners is several instances, and the idle tasks are instance 0 for every
 * owner.
 */
static void test_owned(void)
{
	const __u64 image = hash_process(4711, 1, 1);

	EXPECT(hash_owned(image, 0) != hash_owned(image, 1000));
	EXPECT(hash_owned(image, 0) != hash_owned(hash_process(4711, 1, 2), 0));
	EXPECT(hash_owned(image, 0) && hash_owned(image, 0) != image);
	EXPECT_EQ(hash_owned(hash_process(0, 1, 1), 1000), 0);
}

int main(void)
{
	static const struct test tests[] = {
		{"similar stacks do not collide", test_similar_stacks},
		{"order and length count", test_order_and_length},
		{"key and check are different functions", test_independent},
		{"owners", test_owned},
		{0},
	};

	return run_tests("hash", tests);
}
