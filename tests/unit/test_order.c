// SPDX-License-Identifier: GPL-2.0-only
/* The order that does not jump: its rule, stated independently, on orders made by hand and by
 * chance. */
#include "live/rows/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

static char text[256];

/* Rows a, b, c..., and their decaying sums as they are said to be. */
struct ordered {
	struct order order;
	double sums[26];
};

/* Arranges rows of these values, and tells their order: "cab". */
static const char *arrange_in(struct ordered *ordered, const uint64_t *values, size_t nr,
			      double unit)
{
	struct order_item items[26];

	for (size_t i = 0; i < 26; i++)
		ordered->sums[i] =
			0.84 * ordered->sums[i] + (i < nr ? (double)values[i] / unit : 0);
	for (size_t i = 0; i < nr; i++)
		items[i] = (struct order_item){
			.id = i + 1, .value = values[i], .sum = ordered->sums[i], .index = i};
	order__arrange(&ordered->order, items, nr, unit);
	order__keep(&ordered->order, items, nr);
	for (size_t i = 0; i < nr; i++)
		text[i] = (char)('a' + items[i].index);
	text[nr] = '\0';
	return text;
}

static const char *arrange(struct ordered *ordered, const uint64_t *values, size_t nr)
{
	return arrange_in(ordered, values, nr, 1);
}

static void clear(struct ordered *ordered)
{
	order__clear(&ordered->order);
	*ordered = (struct ordered){0};
}

#define ARRANGE(order, ...) \
	arrange(order, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

static void test_first(void)
{
	struct ordered order = {0};

	EXPECT_STR(ARRANGE(&order, 5, 100, 7), "bca");
	clear(&order);
	EXPECT_STR(ARRANGE(&order, 7, 7, 7), "abc");
	clear(&order);
}

/* 100 and 140 differ by 40, and 2.5 times the root of 240 is 38.7; 100 and 138: 38 and 38.6. */
static void test_noise(void)
{
	struct ordered order = {0};

	EXPECT_STR(ARRANGE(&order, 120, 100), "ab");
	EXPECT_STR(ARRANGE(&order, 100, 138), "ab");
	EXPECT_STR(ARRANGE(&order, 100, 140), "ba");
	EXPECT_STR(ARRANGE(&order, 138, 100), "ba");
	clear(&order);
}

/* In units of 1024, noise is that of the samples, not of the numbers. */
static void test_unit(void)
{
	const uint64_t first[] = {120 * 1024, 100 * 1024}, noise[] = {100 * 1024, 138 * 1024},
		       more[] = {100 * 1024, 140 * 1024};
	struct ordered order = {0};

	EXPECT_STR(arrange_in(&order, first, 2, 1024), "ab");
	EXPECT_STR(arrange_in(&order, noise, 2, 1024), "ab");
	EXPECT_STR(arrange_in(&order, more, 2, 1024), "ba");
	clear(&order);
}

static void test_new_rows(void)
{
	struct ordered order = {0};

	EXPECT_STR(ARRANGE(&order, 30, 20), "ab");
	EXPECT_STR(ARRANGE(&order, 30, 20, 40), "acb"); /* 55, 37 and 40 in all */
	clear(&order);
	EXPECT_STR(ARRANGE(&order, 30, 20), "ab");
	EXPECT_STR(ARRANGE(&order, 30, 20, 90), "cab");
	clear(&order);
}

/* a and b, b and c are within noise; c exceeds a, and so passes it, and b with it. */
static void test_chain(void)
{
	struct ordered order = {0};

	EXPECT_STR(ARRANGE(&order, 300, 200, 100), "abc");
	EXPECT_STR(ARRANGE(&order, 100, 120, 150), "cab");
	clear(&order);
}

/*
 * 6 and 0 are within noise (2.5 x 2.4 = 6.1), in each interval. A row that was hot once gives way
 * all the same when its past has faded: 20, 16.8, 14.1... and 6, 11, 15.3...
 */
static void test_past(void)
{
	struct ordered order = {0};

	EXPECT_STR(ARRANGE(&order, 20, 0), "ab");
	EXPECT_STR(ARRANGE(&order, 0, 6), "ab");
	for (int i = 0; i < 8; i++)
		ARRANGE(&order, 0, 6);
	EXPECT_STR(text, "ba");
	clear(&order);
}

/* Rows that are gone for an interval have their past when they are back. */
static void test_gone(void)
{
	struct ordered order = {0};
	const uint64_t one[] = {50};

	EXPECT_STR(ARRANGE(&order, 50, 100), "ba");
	arrange(&order, one, 1);		   /* b is not there */
	EXPECT_STR(ARRANGE(&order, 50, 70), "ba"); /* 127 and 141 in all */
	clear(&order);
}

/* 3.3 is 2.48 times its deviation, the root of 3.3 / 1.84, and 3.5 is 2.54 times. */
static void test_seen(void)
{
	EXPECT(!order__is_seen(0));
	EXPECT(!order__is_seen(3.3));
	EXPECT(order__is_seen(3.5));
}

static void test_sort(void)
{
	struct ordered order = {0};

	EXPECT_STR(ARRANGE(&order, 100, 99), "ab");
	EXPECT_STR(ARRANGE(&order, 100, 130), "ab"); /* within noise */
	order__clear(&order.order);
	EXPECT_STR(ARRANGE(&order, 100, 101), "ba"); /* 254 and 293 in all */
	clear(&order);
}

/*
 * In any order, a row that exceeds another stands above it, and two rows only change places if one
 * exceeds the other, or a third row stands between them that does.
 */
static void test_rule(void)
{
	struct ordered order = {0};
	uint64_t values[20];
	unsigned int seed = 1;

	for (int round = 0; round < 500; round++) {
		for (size_t i = 0; i < 20; i++)
			values[i] = (uint64_t)(rand_r(&seed) % 400);
		arrange(&order, values, 20);
		for (size_t i = 0; i < 20; i++)
			for (size_t j = i + 1; j < 20; j++) {
				double above = (double)values[text[i] - 'a'];
				double below = (double)values[text[j] - 'a'];

				EXPECT(below - above <= 2.5 * sqrt(above + below));
			}
	}
	clear(&order);
}

/* Equal rows under Poisson noise hardly ever move: at most one pass in about 160 comparisons. */
static void test_calm(void)
{
	struct ordered order = {0};
	unsigned int seed = 7;
	int nr_moves = 0;
	char before[256] = "";

	for (int round = 0; round < 1000; round++) {
		uint64_t values[2] = {0};

		for (int event = 0; event < 2000; event++) /* binomial: nearly Poisson of 100 */
			for (size_t i = 0; i < 2; i++)
				values[i] += (rand_r(&seed) >> 3) % 20 == 0;
		arrange(&order, values, 2);
		nr_moves += round && strcmp(before, text);
		strcpy(before, text);
	}
	EXPECT(nr_moves <= 20);
	clear(&order);
}

int main(void)
{
	static const struct test tests[] = {
		{"without a past, by value", test_first},
		{"within noise, where it was", test_noise},
		{"counts in another unit", test_unit},
		{"new rows", test_new_rows},
		{"a chain of rows within noise", test_chain},
		{"a past that fades", test_past},
		{"rows that are gone for a while", test_gone},
		{"what is more than noise", test_seen},
		{"sorted when asked for", test_sort},
		{"who exceeds stands above", test_rule},
		{"equal rows stay", test_calm},
		{0},
	};

	return run_tests("order", tests);
}
