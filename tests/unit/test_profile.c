// SPDX-License-Identifier: GPL-2.0-only
/* Profiles add up: within one, and from one to another. */
#include "expect.h"
#include "model.h"

static void test_add(void)
{
	struct model model = model__new();
	const struct sample *samples;
	size_t nr_samples;

	add(&model, "a", 1, 3, "f@m main@m");
	add(&model, "a", 1, 4, "g@m main@m");
	add(&model, "a", 1, 5, "f@m main@m");
	add(&model, "a", 2, 6, "f@m main@m");
	add_thread(&model, "a", 1, 11, 7, "f@m main@m");
	samples = profile__samples(model.profile, &nr_samples);
	EXPECT_EQ(nr_samples, 4);
	EXPECT_EQ(samples[0].values[VALUE_COUNT], 8);
	EXPECT_EQ(samples[0].values[VALUE_WEIGHT], 80000000);
	EXPECT_EQ(samples[1].values[VALUE_COUNT], 4);
	EXPECT_EQ(samples[2].values[VALUE_COUNT], 6);
	EXPECT_EQ(samples[3].values[VALUE_COUNT], 7);
	EXPECT_EQ(samples[3].tid, 11);
	EXPECT_EQ(profile__total(model.profile, VALUE_COUNT), 25);
	EXPECT_EQ(profile__total(model.profile, VALUE_WEIGHT), 250000000);
	model__free(&model);
}

static void test_clear(void)
{
	struct model model = model__new();
	size_t nr_samples;

	add(&model, "a", 1, 3, "f@m");
	profile__clear(model.profile);
	profile__samples(model.profile, &nr_samples);
	EXPECT_EQ(nr_samples, 0);
	EXPECT_EQ(profile__total(model.profile, VALUE_COUNT), 0);
	EXPECT_EQ(dictionary__nr_stacks(model.dictionary), 1);
	add(&model, "a", 1, 2, "f@m");
	EXPECT_EQ(profile__samples(model.profile, &nr_samples)->values[VALUE_COUNT], 2);
	EXPECT_EQ(nr_samples, 1);
	model__free(&model);
}

static void test_no_wrap(void)
{
	struct model model = model__new();
	size_t nr_samples;

	add(&model, "a", 1, UINT64_MAX - 1, "f@m");
	add(&model, "a", 1, 5, "f@m");
	EXPECT(profile__samples(model.profile, &nr_samples)->values[VALUE_COUNT] == UINT64_MAX);
	EXPECT(profile__total(model.profile, VALUE_COUNT) == UINT64_MAX);
	model__free(&model);
}

static void test_merge_shared(void)
{
	struct model model = model__new();
	struct profile *run = profile__new(model.dictionary);
	size_t nr_samples;

	add(&model, "a", 1, 3, "f@m");
	add(&model, "a", 1, 4, "g@m");
	EXPECT_EQ(profile__merge(run, model.profile), 0);
	EXPECT_EQ(profile__merge(run, model.profile), 0);
	EXPECT_EQ(profile__merge(run, run), 0); /* even itself */
	EXPECT_EQ(profile__samples(run, &nr_samples)->values[VALUE_COUNT], 12);
	EXPECT_EQ(nr_samples, 2);
	EXPECT_EQ(profile__total(run, VALUE_COUNT), 28);
	profile__free(run);
	model__free(&model);
}

/*
 * Ids of the two dictionaries mean different things; the samples have to be the same all the same.
 */
static void test_merge_other(void)
{
	struct model to = model__new(), from = model__new();
	const struct sample *samples;
	size_t nr_samples, nr_frames;
	const uint32_t *frames;

	add(&to, "a", 1, 1, "x@m y@m main@m");
	add(&to, "a", 1, 2, "f@m main@m");
	add(&from, "b", 9, 10, "f@m main@m");
	add(&from, "a", 1, 20, "f@m main@m");
	add(&from, "a", 1, 30, "@libc+1234 k@[kernel]");
	add(&from, "a", 1, 40, "");
	EXPECT_EQ(profile__merge(to.profile, from.profile), 0);
	model__free(&from); /* nothing of it is borrowed */

	samples = profile__samples(to.profile, &nr_samples);
	EXPECT_EQ(nr_samples, 5);
	EXPECT_EQ(samples[0].values[VALUE_COUNT], 1);
	EXPECT_EQ(samples[1].values[VALUE_COUNT], 22);
	EXPECT_EQ(samples[2].values[VALUE_COUNT], 10);
	EXPECT_STR(dictionary__process(to.dictionary, samples[2].process)->comm, "b");
	EXPECT_EQ(samples[2].stack, samples[1].stack);
	EXPECT_EQ(samples[3].values[VALUE_COUNT], 30);
	EXPECT_EQ(samples[3].values[VALUE_WEIGHT], 300000000);
	frames = dictionary__stack(to.dictionary, samples[3].stack, &nr_frames);
	EXPECT_EQ(nr_frames, 2);
	EXPECT_STR(dictionary__frame_name(to.dictionary, frames[0]), "libc+0x1234");
	EXPECT_EQ(dictionary__frame(to.dictionary, frames[1])->kind, FRAME_KERNEL);
	dictionary__stack(to.dictionary, samples[4].stack, &nr_frames);
	EXPECT_EQ(nr_frames, 0);
	EXPECT_EQ(profile__total(to.profile, VALUE_COUNT), 103);
	model__free(&to);
}

int main(void)
{
	static const struct test tests[] = {
		{"samples of equal process, thread and stack add up", test_add},
		{"clearing forgets samples and keeps names", test_clear},
		{"sums stop at the largest number", test_no_wrap},
		{"merging profiles of one dictionary", test_merge_shared},
		{"merging profiles of two dictionaries", test_merge_other},
		{0},
	};

	return run_tests("profile", tests);
}
