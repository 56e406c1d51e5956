// SPDX-License-Identifier: GPL-2.0-only
/* Frames become several, or none; samples stay what they are. */
#include "expect.h"
#include "model.h"
#include "profile/recording.h"

struct calls {
	int nr_leaves, nr_callers;
};

/* f is g inlined into f as a leaf, and stays as a caller; gone is left out; others stay. */
static long expand(void *context, const struct frame *frame, bool is_caller,
		   struct frame frames[MAX_EXPANSION])
{
	struct calls *asked = context;

	asked->nr_leaves += !is_caller;
	asked->nr_callers += is_caller;
	if (frame->function && !strcmp(frame->function, "gone"))
		return 0;
	if (is_caller || !frame->function || strcmp(frame->function, "f") != 0)
		return FRAME_STAYS;
	frames[0] = frames[1] = *frame;
	frames[0].function = "g";
	frames[0].inlined = true;
	frames[1].line = 3;
	frames[1].file = "f.c";
	return 2;
}

static void expect_stack(const struct profile *profile, size_t index, const char *expected)
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
		const struct frame *frame = dictionary__frame(dictionary, frames[i]);

		strcat(text, i ? " " : "");
		strcat(text, frame->function);
		strcat(text, frame->inlined ? "(inlined)" : "");
		strcat(text, frame->line ? ":3" : "");
	}
	EXPECT_STR(text, expected);
}

static void test_roles(void)
{
	struct model model = model__new();
	struct calls asked = {0};
	const struct expander expander = {expand, &asked};
	struct profile *expanded;

	add(&model, "a", 1, 2, "f@m f@m main@m");
	add(&model, "a", 1, 3, "f@m f@m main@m");
	add(&model, "a", 2, 5, "read@[kernel] entry@[kernel] f@m f@m main@m");
	expanded = profile__expand(model.profile, &expander);
	expect_stack(expanded, 0, "g(inlined) f:3 f main");
	expect_stack(expanded, 1, "read entry g(inlined) f:3 f main");
	EXPECT_EQ(asked.nr_leaves, 2);	/* f, read: each once */
	EXPECT_EQ(asked.nr_callers, 3); /* f, main, entry */
	EXPECT_EQ(profile__total(expanded, VALUE_COUNT), 10);
	profile__free(expanded);
	model__free(&model);
}

static void test_asked_only(void)
{
	struct model model = model__new();
	struct calls asked = {0};
	size_t nr_frames;

	add(&model, "a", 1, 2, "f@m f@m main@m");
	add(&model, "a", 2, 5, "read@[kernel] entry@[kernel] f@m f@m main@m");
	nr_frames = dictionary__nr_frames(profile__dictionary(model.profile));
	profile__ask(model.profile, &(struct expander){expand, &asked});
	EXPECT_EQ(asked.nr_leaves, 2);
	EXPECT_EQ(asked.nr_callers, 3);
	EXPECT_EQ(dictionary__nr_frames(profile__dictionary(model.profile)), nr_frames);
	expect_stack(model.profile, 0, "f f main");
	model__free(&model);
}

static void test_left_out(void)
{
	struct model model = model__new();
	struct calls asked = {0};
	const struct expander expander = {expand, &asked};
	struct profile *expanded;
	size_t nr_samples;

	add(&model, "a", 1, 2, "gone@m f@m main@m");
	add(&model, "a", 1, 3, "f@m+20 gone@m main@m");
	add(&model, "a", 1, 4, "gone@m");
	expanded = profile__expand(model.profile, &expander);
	profile__samples(expanded, &nr_samples);
	EXPECT_EQ(nr_samples, 3);
	expect_stack(expanded, 0, "f main");
	expect_stack(expanded, 1, "g(inlined) f:3 main");
	expect_stack(expanded, 2, "");
	profile__free(expanded);
	model__free(&model);
}

/* Each frame becomes as many as it may: what the stack has no room for stays. */
static long multiply(void *context, const struct frame *frame, bool is_caller,
		     struct frame frames[MAX_EXPANSION])
{
	(void)context;
	(void)is_caller;
	for (int i = 0; i < MAX_EXPANSION; i++) {
		frames[i] = *frame;
		frames[i].inlined = i + 1 < MAX_EXPANSION;
	}
	return MAX_EXPANSION;
}

static void test_bound(void)
{
	struct model model = model__new();
	const struct expander expander = {multiply, NULL};
	struct profile *expanded;
	size_t nr_samples, nr_frames;
	char stack[200 * 8] = "";

	for (int i = 0; i < 200; i++)
		strcat(stack, "f@m ");
	add(&model, "a", 1, 1, stack);
	expanded = profile__expand(model.profile, &expander);
	dictionary__stack(model.dictionary, profile__samples(expanded, &nr_samples)->stack,
			  &nr_frames);
	EXPECT(nr_frames > 3900 && nr_frames <= 4096);
	profile__free(expanded);
	model__free(&model);
}

static void test_recording(void)
{
	struct recording recording;
	struct calls asked = {0};
	struct model model;
	struct sample sample = {.values = {1, 10}};

	recording__init(&recording);
	model = (struct model){profile__dictionary(recording.profile), recording.profile};
	add(&model, "a", 1, 1, "f@m main@m");
	sample.process = model__process(&model, "a", 1);
	sample.stack = model__stack(&model, "f@m main@m");
	EXPECT_EQ(recording__add_to_slice(&recording, 1, &sample), 0);
	recording__expand(&recording, &(struct expander){expand, &asked});
	expect_stack(recording.profile, 0, "g(inlined) f:3 main");
	EXPECT_EQ(recording.nr_slices, 2);
	EXPECT(!recording.slices[0]);
	expect_stack(recording.slices[1], 0, "g(inlined) f:3 main");

	/* g, f and main, but not f without a line */
	recording__drop_unused(&recording);
	EXPECT_EQ(dictionary__nr_frames(profile__dictionary(recording.profile)), 3);
	expect_stack(recording.profile, 0, "g(inlined) f:3 main");
	EXPECT_EQ(recording.nr_slices, 2);
	EXPECT(!recording.slices[0]);
	expect_stack(recording.slices[1], 0, "g(inlined) f:3 main");
	EXPECT(profile__dictionary(recording.slices[1]) == profile__dictionary(recording.profile));
	recording__fini(&recording);
}

int main(void)
{
	static const struct test tests[] = {
		{"leaves and callers", test_roles},
		{"asking changes nothing", test_asked_only},
		{"frames left out", test_left_out},
		{"deep stacks", test_bound},
		{"all profiles of a recording", test_recording},
		{0},
	};

	return run_tests("expand", tests);
}
