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

static int translation__init(struct translation *translation, const struct dictionary *from,
			     struct dictionary *to)
{
	*translation = (struct translation){
		.from = from,
		.to = to,
		.strings = ids__new(dictionary__nr_strings(from)),
		.frames = ids__new(dictionary__nr_frames(from)),
		.stacks = ids__new(dictionary__nr_stacks(from)),
	};
	return translation->strings && translation->frames && translation->stacks ? 0 : -ENOMEM;
}

static void translation__fini(struct translation *translation)
{
	free(translation->strings);
	free(translation->frames);
	free(translation->stacks);
	free(translation->scratch);
}

static const char *translate_string(struct translation *translation, const char *string,
				    bool *failed)
{
	uint32_t *id;

	if (!string)
		return NULL;
	id = &translation->strings[dictionary__string_id(string)];
	if (*id == ID_NONE)
		*id = dictionary__add_string(translation->to, string);
	*failed |= *id == ID_NONE;
	return *id == ID_NONE ? NULL : dictionary__string(translation->to, *id);
}

static uint32_t add_frame(struct translation *translation, struct frame frame)
{
	bool failed = false;

	frame.function = translate_string(translation, frame.function, &failed);
	frame.module = translate_string(translation, frame.module, &failed);
	frame.path = translate_string(translation, frame.path, &failed);
	frame.build_id = translate_string(translation, frame.build_id, &failed);
	frame.file = translate_string(translation, frame.file, &failed);
	return failed ? ID_NONE : dictionary__add_kept_frame(translation->to, &frame);
}

static uint32_t translate_frame(struct translation *translation, uint32_t frame)
{
	uint32_t *id = &translation->frames[frame];

	if (*id == ID_NONE)
		*id = add_frame(translation, *dictionary__frame(translation->from, frame));
	return *id;
}

static uint32_t translate_stack(struct translation *translation, uint32_t stack)
{
	uint32_t *id = &translation->stacks[stack];
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(translation->from, stack, &nr_frames);

	if (*id != ID_NONE)
		return *id;
	if (array__reserve(&translation->scratch, &translation->scratch_size, nr_frames))
		return ID_NONE;
	for (size_t i = 0; i < nr_frames; i++) {
		translation->scratch[i] = translate_frame(translation, frames[i]);
		if (translation->scratch[i] == ID_NONE)
			return ID_NONE;
	}
	*id = dictionary__add_stack(translation->to, translation->scratch, nr_frames);
	return *id;
}

static int translate_sample(struct translation *translation, struct sample *sample)
{
	struct process process = *dictionary__process(translation->from, sample->process);
	bool failed = false;

	process.cgroup_path = translate_string(translation, process.cgroup_path, &failed);
	process.command_line = translate_string(translation, process.command_line, &failed);
	sample->process =
		failed ? ID_NONE : dictionary__add_kept_process(translation->to, &process);
	sample->stack = translate_stack(translation, sample->stack);
	if (sample__name_thread(sample, translation->to, sample__thread(sample, translation->from)))
		return -ENOMEM;
	return sample->process == ID_NONE || sample->stack == ID_NONE ? -ENOMEM : 0;
}

/* translation is NULL if both have the same dictionary. */
static int add_samples(struct profile *profile, const struct profile *more,
		       struct translation *translation, bool by_slice)
{
	size_t nr_samples;
	int err = 0;

	profile__samples(more, &nr_samples);
	for (size_t i = 0; i < nr_samples && !err; i++) {
		struct sample sample = profile__samples(more, &nr_samples)[i];

		if (!by_slice)
			sample.slice = 0;
		if (translation)
			err = translate_sample(translation, &sample);
		if (!err)
			err = profile__add(profile, &sample);
	}
	return err;
}

static int merge(struct profile *profile, const struct profile *more, bool by_slice)
{
	struct dictionary *to = profile__dictionary(profile);
	const struct dictionary *from = profile__dictionary(more);
	struct translation translation;
	int err = 0;

	if (metrics__are_unset(profile__metrics(profile)))
		err = profile__set_metrics(profile, profile__metrics(more));
	if (err || from == to)
		return err ? err : add_samples(profile, more, NULL, by_slice);
	err = translation__init(&translation, from, to);
	if (!err)
		err = add_samples(profile, more, &translation, by_slice);
	translation__fini(&translation);
	return err;
}

int profile__merge(struct profile *profile, const struct profile *more)
{
	return merge(profile, more, false);
}

int profile__merge_by_slice(struct profile *profile, const struct profile *more)
{
	return merge(profile, more, true);
}
