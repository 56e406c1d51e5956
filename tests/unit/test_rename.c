// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code made at run time gets names that came late: of each process its own, and nothing else
 * changes.
 */
#include "expect.h"
#include "model.h"
#include "profile/recording.h"

struct asked {
	int nr_leaves, nr_callers;
};

/* Names the frame of process 1 at 0x20. */
static bool name_frame(void *context, const struct process *process, const struct frame *frame,
		       bool is_caller, struct frame *named)
{
	struct asked *asked = context;

	EXPECT(frame__may_be_told(frame));
	asked->nr_leaves += !is_caller;
	asked->nr_callers += is_caller;
	if (process->pid != 1 || frame->address != 0x20)
		return false;
	*named = *frame;
	named->function = "late";
	return true;
}

static void expect_stack(const struct profile *profile, size_t index, uint64_t count,
			 const char *expected)
{
	const struct dictionary *dictionary = profile__dictionary(profile);
	size_t nr_samples, nr_frames;
	const struct sample *samples = profile__samples(profile, &nr_samples);
	const uint32_t *frames;
	char text[256] = "";

	EXPECT(index < nr_samples);
	if (index >= nr_samples)
		return;
	frames = dictionary__stack(dictionary, samples[index].stack, &nr_frames);
	for (size_t i = 0; i < nr_frames; i++) {
		strcat(text, i ? " " : "");
		strcat(text, dictionary__frame_name(dictionary, frames[i]));
	}
	EXPECT_STR(text, expected);
	EXPECT_EQ(samples[index].values[VALUE_COUNT], count);
}

static void test_names(void)
{
	struct model model = model__new();
	struct asked asked = {0};
	const struct renamer renamer = {name_frame, &asked};
	uint64_t nr_samples = 100;

	add(&model, "a", 1, 2, "@perf.map+20 main@m");
	add(&model, "a", 2, 3, "@perf.map+20 main@m");
	add(&model, "a", 1, 4, "@perf.map+30 main@m");
	add(&model, "a", 1, 5, "read@[kernel] entry@[kernel] @perf.map+30 @perf.map+20 main@m");
	add(&model, "a", 1, 7, "late@perf.map+20 main@m");
	add(&model, "a", 1, 11, "@m+20 main@m");
	profile__rename(&model.profile, &renamer, &nr_samples);
	EXPECT_EQ(nr_samples, 107);
	expect_stack(model.profile, 0, 9, "late main"); /* with those that had the name in time */
	expect_stack(model.profile, 1, 3, "perf.map main");
	expect_stack(model.profile, 2, 4, "perf.map main");
	expect_stack(model.profile, 3, 5, "read entry perf.map late main");
	expect_stack(model.profile, 4, 11, "m+0x20 main");
	EXPECT_EQ(asked.nr_leaves, 4);
	EXPECT_EQ(asked.nr_callers, 1);
	EXPECT_EQ(profile__total(model.profile, VALUE_COUNT), 32);
	EXPECT_STR(profile__metrics(model.profile)->of[VALUE_COUNT].name, "samples");
	model__free(&model);
}

/* Slices are the same samples, which count once. */
static void test_slices(void)
{
	struct model model = model__new();
	struct asked asked = {0};
	const struct renamer renamer = {name_frame, &asked};
	struct profile *slices[] = {NULL, profile__new_like(model.profile, model.dictionary)};
	struct recording recording = {.profile = model.profile, .slices = slices, .nr_slices = 2};
	uint64_t nr_samples = 0;

	add(&model, "a", 1, 2, "@perf.map+20 main@m");
	EXPECT_EQ(profile__merge(slices[1], model.profile), 0);
	recording__rename(&recording, &renamer, &nr_samples);
	EXPECT_EQ(nr_samples, 2);
	EXPECT(!slices[0]);
	expect_stack(recording.profile, 0, 2, "late main");
	expect_stack(slices[1], 0, 2, "late main");
	profile__free(slices[1]);
	model.profile = recording.profile;
	model__free(&model);
}

int main(void)
{
	static const struct test tests[] = {
		{"names", test_names},
		{"slices", test_slices},
		{0},
	};

	return run_tests("rename", tests);
}
