// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs whose rate changed are compared by counts in the shares of their weights, which claim no
 * more certainty than the samples have.
 */
#include "diff/matching/weight_counts.h"

#include <math.h>

#include "expect.h"
#include "model.h"
#include "profile/recording.h"

#define MS 1000000u

static void put(struct profile *profile, const char *stack, uint64_t count, uint64_t each)
{
	struct model model = {profile__dictionary(profile), profile};
	const struct sample sample = {.process = model__process(&model, "prog", 1),
				      .stack = model__stack(&model, stack),
				      .values = {count, count * each}};

	profile__add(profile, &sample);
}

/*
 * 2 s in a, of which each sample is 1 ms; 6 s in b, of which each is 10 ms; and little of a rare
 * one.
 */
static struct recording two_rates(bool is_chosen)
{
	struct recording recording;
	struct metrics metrics = cpu_metrics;

	recording__init(&recording);
	metrics.is_chosen = is_chosen;
	profile__set_metrics(recording.profile, &metrics);
	put(recording.profile, "a@p main@p", 2000, MS);
	put(recording.profile, "b@p main@p", 600, 10 * MS);
	put(recording.profile, "rare@p main@p", 8, MS);
	recording.period = 10 * MS;
	recording__show_spent(&recording);
	return recording;
}

static uint64_t count_of(const struct recording *recording, const char *stack)
{
	struct model model = {profile__dictionary(recording->profile), recording->profile};
	const struct sample sample = {.process = model__process(&model, "prog", 1),
				      .stack = model__stack(&model, stack)};
	const struct sample *found = profile__find(recording->profile, &sample);

	return found ? found->values[VALUE_COUNT] : 0;
}

/* As many as if all were of 10 ms, which those of b are. */
static void test_counts(void)
{
	struct recording recording = two_rates(false);

	EXPECT_EQ(profile__metrics(recording.profile)->shown, VALUE_WEIGHT);
	weight_counts__make(&recording);
	EXPECT_EQ(profile__metrics(recording.profile)->shown, VALUE_COUNT);
	EXPECT_NEAR((double)count_of(&recording, "a@p main@p"), 200, 1);
	EXPECT_NEAR((double)count_of(&recording, "b@p main@p"), 600, 1);
	EXPECT_NEAR((double)profile__total(recording.profile, VALUE_COUNT), 800.8, 1);
	EXPECT_EQ(profile__total(recording.profile, VALUE_WEIGHT), 8008ull * MS);
	EXPECT_NEAR((double)recording.period, 10 * MS, 1);
	recording__fini(&recording);
}

/* Many small parts lose nothing by rounding. */
static void test_small_parts(void)
{
	struct recording recording = two_rates(false);

	for (int i = 0; i < 1000; i++) {
		char stack[64];

		snprintf(stack, sizeof(stack), "f%d@p main@p", i);
		put(recording.profile, stack, 1, MS);
	}
	weight_counts__make(&recording);
	EXPECT_NEAR((double)profile__total(recording.profile, VALUE_COUNT), 900.8, 1);
	recording__fini(&recording);
}

/* Where all weigh the same, or counts are asked for, they are as they were. */
static void test_counts_that_stay(void)
{
	struct recording recording = two_rates(true);

	weight_counts__make(&recording);
	EXPECT_EQ(profile__total(recording.profile, VALUE_COUNT), 2608);
	recording__fini(&recording);
	recording__init(&recording);
	profile__set_metrics(recording.profile, &cpu_metrics);
	put(recording.profile, "a@p main@p", 7, MS);
	weight_counts__make(&recording);
	EXPECT_EQ(profile__total(recording.profile, VALUE_COUNT), 7);
	recording__fini(&recording);
}

int main(void)
{
	static const struct test tests[] = {
		{"counts of what was spent", test_counts},
		{"small parts", test_small_parts},
		{"counts that stay", test_counts_that_stay},
		{0},
	};

	return run_tests("weight counts", tests);
}
