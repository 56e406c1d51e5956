// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replaces frames by others, as an expander says, in every stack. The expander is asked once for
 * each frame and role, caller or leaf.
 */

#include "profile/interned.h"
#include "profile/recording.h"

#define MAX_DEPTH 4096 /* frames of a stack; frames are not expanded beyond that */

/* The replacement of one frame: ids[first] to ids[first + nr - 1]. */
struct expansion {
	uint32_t first, nr;
	bool is_known;
};

struct expanding {
	const struct expander *expander;
	struct dictionary *dictionary;
	size_t nr_frames;	      /* of the dictionary before expansion */
	struct expansion *expansions; /* of frames as leaves, then of frames as callers */
	uint32_t *ids;
	size_t nr_ids, capacity;
	uint32_t *stacks;	   /* by old id; ID_NONE: not known yet */
	uint32_t stack[MAX_DEPTH]; /* the current one */
};

static void expand_frame(struct expanding *expanding, uint32_t id, bool is_caller,
			 struct expansion *expansion)
{
	struct frame frames[MAX_EXPANSION];
	const struct expander *expander = expanding->expander;
	const struct frame *frame = dictionary__frame(expanding->dictionary, id);
	const long nr = expander->expand(expander->context, frame, is_caller, frames);

	*expansion = (struct expansion){
		.first = (uint32_t)expanding->nr_ids,
		.nr = nr < 0 ? 1 : (uint32_t)nr,
		.is_known = true,
	};
	array__reserve(&expanding->ids, &expanding->capacity, expanding->nr_ids + expansion->nr);
	if (nr < 0)
		expanding->ids[expanding->nr_ids++] = id;
	for (long i = 0; i < nr; i++)
		expanding->ids[expanding->nr_ids++] =
			dictionary__add_frame(expanding->dictionary, &frames[i]);
}

static uint32_t expand_stack(struct expanding *expanding, uint32_t stack)
{
	size_t nr_frames, nr = 0;
	const uint32_t *frames = dictionary__stack(expanding->dictionary, stack, &nr_frames);

	if (nr_frames > MAX_DEPTH)
		return stack;
	for (size_t i = 0; i < nr_frames; i++) {
		const bool caller = stack__is_caller(expanding->dictionary, frames, i);
		struct expansion *expansion =
			&expanding->expansions[frames[i] + caller * expanding->nr_frames];

		if (!expansion->is_known)
			expand_frame(expanding, frames[i], caller, expansion);
		if (nr + expansion->nr + (nr_frames - i - 1) > MAX_DEPTH) {
			expanding->stack[nr++] = frames[i];
			continue;
		}
		for (uint32_t j = 0; j < expansion->nr; j++)
			expanding->stack[nr++] = expanding->ids[expansion->first + j];
	}
	return dictionary__add_stack(expanding->dictionary, expanding->stack, nr);
}

static struct expanding *expanding__new(struct dictionary *dictionary,
					const struct expander *expander)
{
	struct expanding *expanding = xcalloc(1, sizeof(*expanding));

	expanding->expander = expander;
	expanding->dictionary = dictionary;
	expanding->nr_frames = dictionary__nr_frames(dictionary);
	expanding->expansions =
		xcalloc(2 * expanding->nr_frames + 1, sizeof(*expanding->expansions));
	expanding->stacks = ids__new(dictionary__nr_stacks(dictionary));
	return expanding;
}

static void expanding__free(struct expanding *expanding)
{
	free(expanding->expansions);
	free(expanding->ids);
	free(expanding->stacks);
	free(expanding);
}

static struct profile *expand_profile(struct expanding *expanding, const struct profile *profile)
{
	struct profile *expanded = profile__new_like(profile, expanding->dictionary);
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	profile__reserve(expanded, nr_samples);
	for (size_t i = 0; i < nr_samples; i++) {
		struct sample sample = samples[i];
		uint32_t *stack = &expanding->stacks[sample.stack];

		if (*stack == ID_NONE)
			*stack = expand_stack(expanding, sample.stack);
		sample.stack = *stack;
		profile__add(expanded, &sample);
	}
	return expanded;
}

struct profile *profile__expand(const struct profile *profile, const struct expander *expander)
{
	struct expanding *expanding = expanding__new(profile__dictionary(profile), expander);
	struct profile *expanded = expand_profile(expanding, profile);

	expanding__free(expanding);
	return expanded;
}

void profile__ask(const struct profile *profile, const struct expander *expander)
{
	const struct dictionary *dictionary = profile__dictionary(profile);
	const size_t nr_all = dictionary__nr_frames(dictionary);
	bool *asked = xcalloc(2 * nr_all + 1, sizeof(*asked)); /* as leaves, then as callers */
	struct frame unused[MAX_EXPANSION];
	size_t nr_samples, nr_frames;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		const uint32_t *frames =
			dictionary__stack(dictionary, samples[i].stack, &nr_frames);

		for (size_t j = 0; j < nr_frames; j++) {
			const bool caller = stack__is_caller(dictionary, frames, j);

			if (asked[frames[j] + caller * nr_all])
				continue;
			asked[frames[j] + caller * nr_all] = true;
			expander->expand(expander->context,
					 dictionary__frame(dictionary, frames[j]), caller, unused);
		}
	}
	free(asked);
}

void recording__expand(struct recording *recording, const struct expander *expander)
{
	struct expanding *expanding =
		expanding__new(profile__dictionary(recording->profile), expander);

	for (; recording; recording = recording->more)
		for (size_t i = 0; i <= recording->nr_slices; i++) {
			struct profile **profile =
				i ? &recording->slices[i - 1] : &recording->profile;
			struct profile *old = *profile;

			if (old)
				*profile = expand_profile(expanding, old);
			profile__free(old);
		}
	expanding__free(expanding);
}
