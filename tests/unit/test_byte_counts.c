// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory is compared as bytes that become so many samples, by the function that called an
 * allocator.
 */
#include "diff/matching/byte_counts.h"

#include <errno.h>
#include <string.h>

#include "diff/matching/match.h"
#include "diff/matching/names.h"
#include "expect.h"
#include "heap_model.h"
#include "profile/recording.h"

static void add_bytes(struct recording *recording, int32_t tid, uint64_t blocks, uint64_t bytes,
		      const char *stack)
{
	struct model model = {profile__dictionary(recording->profile), recording->profile};
	const struct sample sample = {.process = model__process(&model, "prog", 1),
				      .stack = model__stack(&model, stack),
				      .tid = tid,
				      .values = {blocks, bytes}};

	profile__add(recording->profile, &sample);
}

static struct recording make_recording(uint64_t period)
{
	struct recording recording;

	recording__init(&recording);
	profile__set_metrics(recording.profile, &metrics__alloc);
	recording.period = period;
	return recording;
}

static uint64_t count_of(const struct recording *recording, const char *stack)
{
	struct model model = {profile__dictionary(recording->profile), recording->profile};
	const struct sample wanted = {.process = model__process(&model, "prog", 1),
				      .stack = model__stack(&model, stack)};
	const struct sample *found = profile__find(recording->profile, &wanted);

	return found ? found->values[VALUE_COUNT] : 0;
}

/* Bytes alone make the counts, not the number of blocks. */
static void test_counts(void)
{
	struct recording recording = make_recording(1000);

	add_bytes(&recording, 0, 100000, 7000, "f@p main@p");
	add_bytes(&recording, 0, 1, 40000, "g@p main@p");
	byte_counts__make(&recording);
	EXPECT_EQ(count_of(&recording, "f@p main@p"), 7);
	EXPECT_EQ(count_of(&recording, "g@p main@p"), 40);
	EXPECT_EQ(profile__total(recording.profile, VALUE_WEIGHT), 47000);
	EXPECT(byte_counts__are_made(profile__metrics(recording.profile)));
	EXPECT(!heap__has_blocks(&recording));
	recording__fini(&recording);
}

/* Many small rows are as much as one that is their sum. */
static void test_rests(void)
{
	struct recording recording = make_recording(1000);

	for (int32_t tid = 1; tid <= 300; tid++)
		add_bytes(&recording, tid, 1, 1300, "f@p main@p");
	byte_counts__make(&recording);
	EXPECT_EQ(profile__total(recording.profile, VALUE_COUNT), 390);
	recording__fini(&recording);
}

/* Each byte is a count if all bytes were sampled. */
static void test_exact(void)
{
	struct recording recording = make_recording(1);

	add_bytes(&recording, 0, 3, 4321, "f@p main@p");
	byte_counts__make(&recording);
	EXPECT_EQ(profile__total(recording.profile, VALUE_COUNT), 4321);
	EXPECT_STR(metric__noun(&profile__metrics(recording.profile)->of[VALUE_COUNT]), "bytes");
	recording__fini(&recording);
}

static void test_allocators(void)
{
	struct recording recording = make_recording(1000);

	add_bytes(&recording, 0, 1, 3000, "malloc@c f@p main@p");
	add_bytes(&recording, 0, 1, 2000, "__libc_calloc@c f@p main@p");
	add_bytes(&recording, 0, 1, 5000, "realloc@c malloc@c");
	add_bytes(&recording, 0, 1, 4000, "mallocate@p malloc@c main@p");
	byte_counts__make(&recording);
	EXPECT_EQ(count_of(&recording, "f@p main@p"), 5);
	EXPECT_EQ(count_of(&recording, "malloc@c"), 5); /* no other function is there */
	EXPECT_EQ(count_of(&recording, "mallocate@p malloc@c main@p"), 4);
	recording__fini(&recording);
}

/* Where a byte is hit has nothing to do with how the program goes on: no bursts are assumed. */
static void test_independent(void)
{
	struct recording recording = make_recording(1000);
	struct run runs[SIDES] = {{.side = SIDE_BASE}, {.side = SIDE_NEW}};
	const struct decision_options options = decision_options__default();
	struct compared_names names;
	struct match_options by = {.by = MATCH_FUNCTIONS, .names = &names};
	struct decision decision;
	struct match *match;

	compared_names__init(&names);
	add_bytes(&recording, 0, 7, 900000, "malloc@c f@p main@p");
	add_bytes(&recording, 0, 7, 900000, "malloc@c g@p main@p");
	byte_counts__make(&recording);
	runs[SIDE_BASE].profile = runs[SIDE_NEW].profile = recording.profile;
	match = match__new(runs, SIDES, &by);
	EXPECT_STR(match__counted(match), "samples of memory");
	EXPECT(!match__counts_samples(match));
	EXPECT_EQ(decision__init(&decision, match__comparison(match), &options), 0);
	EXPECT_NEAR(decision.phi, 1, 0);
	EXPECT_NEAR(decision.samples[SIDE_NEW], 1800, 0);
	decision__fini(&decision);
	match__free(match);
	compared_names__fini(&names);
	recording__fini(&recording);
}

int main(void)
{
	static const struct test tests[] = {
		{"bytes are so many samples", test_counts},
		{"rests of rows are not lost", test_rests},
		{"all bytes", test_exact},
		{"allocators are no leaves", test_allocators},
		{"samples are independent", test_independent},
		{0},
	};

	return run_tests("byte counts", tests);
}
