// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds one profile to another. Where their dictionaries differ, ids are translated, each frame and
 * each stack only once.
 */

#include "profile/profile.h"

/* ids[old] = new, or ID_NONE if not translated yet. */
struct translation {
	const struct dictionary *from;
	struct dictionary *to;
	uint32_t *strings, *frames, *stacks;
	uint32_t *scratch; /* one translated stack */
	size_t scratch_size;
};

static const char *translate_string(struct translation *translation, const char *string)
{
	uint32_t *id;

	if (!string)
		return NULL;
	id = &translation->strings[dictionary__string_id(string)];
	if (*id == ID_NONE)
		*id = dictionary__add_string(translation->to, string);
	return dictionary__string(translation->to, *id);
}

static uint32_t translate_frame(struct translation *translation, struct frame frame)
{
	frame.function = translate_string(translation, frame.function);
	frame.module = translate_string(translation, frame.module);
	frame.path = translate_string(translation, frame.path);
	frame.build_id = translate_string(translation, frame.build_id);
	frame.file = translate_string(translation, frame.file);
	return dictionary__add_kept_frame(translation->to, &frame);
}

static uint32_t translate_stack(struct translation *translation, uint32_t stack)
{
	uint32_t *id = &translation->stacks[stack];
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(translation->from, stack, &nr_frames);

	if (*id != ID_NONE)
		return *id;
	array__reserve(&translation->scratch, &translation->scratch_size, nr_frames);
	for (size_t i = 0; i < nr_frames; i++) {
		uint32_t *frame = &translation->frames[frames[i]];

		if (*frame == ID_NONE)
			*frame = translate_frame(translation,
						 *dictionary__frame(translation->from, frames[i]));
		translation->scratch[i] = *frame;
	}
	*id = dictionary__add_stack(translation->to, translation->scratch, nr_frames);
	return *id;
}

static void translate_sample(struct translation *translation, struct sample *sample)
{
	struct process process = *dictionary__process(translation->from, sample->process);

	process.cgroup_path = translate_string(translation, process.cgroup_path);
	process.command_line = translate_string(translation, process.command_line);
	sample->process = dictionary__add_kept_process(translation->to, &process);
	sample->stack = translate_stack(translation, sample->stack);
	sample__name_thread(sample, translation->to, sample__thread(sample, translation->from));
}

static int merge(struct profile *profile, const struct profile *more, bool by_slice)
{
	struct translation translation = {.from = profile__dictionary(more),
					  .to = profile__dictionary(profile)};
	const bool is_other = translation.from != translation.to;
	size_t nr_samples, nr_before;

	if (metrics__are_unset(profile__metrics(profile)))
		profile__set_metrics(profile, profile__metrics(more));
	if (is_other) {
		translation.strings = ids__new(dictionary__nr_strings(translation.from));
		translation.frames = ids__new(dictionary__nr_frames(translation.from));
		translation.stacks = ids__new(dictionary__nr_stacks(translation.from));
	}
	profile__samples(more, &nr_samples);
	profile__samples(profile, &nr_before);
	if (!nr_before)
		profile__reserve(profile, nr_samples);
	for (size_t i = 0; i < nr_samples; i++) {
		/* both may be one profile, whose array moves */
		struct sample sample = profile__samples(more, &nr_samples)[i];

		if (!by_slice)
			sample.slice = 0;
		if (is_other)
			translate_sample(&translation, &sample);
		profile__add(profile, &sample);
	}
	free(translation.strings);
	free(translation.frames);
	free(translation.stacks);
	free(translation.scratch);
	return 0;
}

int profile__merge(struct profile *profile, const struct profile *more)
{
	return merge(profile, more, false);
}

int profile__merge_by_slice(struct profile *profile, const struct profile *more)
{
	return merge(profile, more, true);
}
