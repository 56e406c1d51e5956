// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives names to code made at run time whose names became known after its samples. A name is valid
 * in one process only.
 */

#include "profile/interned.h"
#include "profile/recording.h"

struct renaming {
	const struct renamer *renamer;
	struct profile *renamed;
	uint32_t *frames; /* of the current stack */
	size_t capacity;
	uint64_t nr_samples; /* that got a name in some frame */
};

/*
 * Returns the id of the frame with its name, or of the same frame if it has none. ID_NONE: out of
 * memory.
 */
static uint32_t rename_frame(struct renaming *renaming, uint32_t process, uint32_t id,
			     bool is_caller)
{
	struct dictionary *dictionary = profile__dictionary(renaming->renamed);
	const struct frame *frame = dictionary__frame(dictionary, id);
	const struct renamer *renamer = renaming->renamer;
	struct frame named;

	if (!frame__may_be_told(frame) ||
	    !renamer->rename(renamer->context, dictionary__process(dictionary, process), frame,
			     is_caller, &named))
		return id;
	return dictionary__add_frame(dictionary, &named);
}

/* Replaces the stack by one with names, if any frame has one. 0 or -ENOMEM. */
static int rename_stack(struct renaming *renaming, struct sample *sample)
{
	struct dictionary *dictionary = profile__dictionary(renaming->renamed);
	bool is_other = false;
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(dictionary, sample->stack, &nr_frames);

	if (array__reserve(&renaming->frames, &renaming->capacity, nr_frames))
		return -ENOMEM;
	for (size_t i = 0; i < nr_frames; i++) {
		renaming->frames[i] = rename_frame(renaming, sample->process, frames[i],
						   stack__is_caller(dictionary, frames, i));
		if (renaming->frames[i] == ID_NONE)
			return -ENOMEM;
		is_other |= renaming->frames[i] != frames[i];
	}
	if (!is_other)
		return 0;
	renaming->nr_samples = sum_of(renaming->nr_samples, sample->values[VALUE_COUNT]);
	sample->stack = dictionary__add_stack(dictionary, renaming->frames, nr_frames);
	return sample->stack == ID_NONE ? -ENOMEM : 0;
}

static int rename_samples(struct renaming *renaming, const struct profile *profile)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		struct sample sample = samples[i];

		if (rename_stack(renaming, &sample) || profile__add(renaming->renamed, &sample))
			return -ENOMEM;
	}
	return 0;
}

int profile__rename(struct profile **profile, const struct renamer *renamer, uint64_t *nr_samples)
{
	struct renaming renaming = {
		.renamer = renamer,
		.renamed = profile__new_like(*profile, profile__dictionary(*profile))};
	const int code = renaming.renamed ? rename_samples(&renaming, *profile) : -ENOMEM;

	free(renaming.frames);
	if (code) {
		profile__free(renaming.renamed);
		return code;
	}
	profile__free(*profile);
	*profile = renaming.renamed;
	*nr_samples = sum_of(*nr_samples, renaming.nr_samples);
	return 0;
}

static int rename_event(struct recording *recording, const struct renamer *renamer,
			uint64_t *nr_samples)
{
	uint64_t nr_again = 0; /* not counted: slices have the same samples */
	int code = profile__rename(&recording->profile, renamer, nr_samples);

	for (size_t i = 0; i < recording->nr_slices && !code; i++)
		if (recording->slices[i])
			code = profile__rename(&recording->slices[i], renamer, &nr_again);
	return code;
}

int recording__rename(struct recording *recording, const struct renamer *renamer,
		      uint64_t *nr_samples)
{
	int code = 0;

	for (; recording && !code; recording = recording->more)
		code = rename_event(recording, renamer, nr_samples);
	return code;
}
