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

/* Replaces the stack by one with names, if any frame has one. */
static void rename_stack(struct renaming *renaming, struct sample *sample)
{
	const struct renamer *renamer = renaming->renamer;
	struct dictionary *dictionary = profile__dictionary(renaming->renamed);
	const struct process *process = dictionary__process(dictionary, sample->process);
	bool is_other = false;
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(dictionary, sample->stack, &nr_frames);

	array__reserve(&renaming->frames, &renaming->capacity, nr_frames);
	for (size_t i = 0; i < nr_frames; i++) {
		const struct frame *frame = dictionary__frame(dictionary, frames[i]);
		struct frame named;

		renaming->frames[i] = frames[i];
		if (!frame__may_be_told(frame) ||
		    !renamer->rename(renamer->context, process, frame,
				     stack__is_caller(dictionary, frames, i), &named))
			continue;
		renaming->frames[i] = dictionary__add_frame(dictionary, &named);
		is_other |= renaming->frames[i] != frames[i];
	}
	if (!is_other)
		return;
	renaming->nr_samples = sum_of(renaming->nr_samples, sample->values[VALUE_COUNT]);
	sample->stack = dictionary__add_stack(dictionary, renaming->frames, nr_frames);
}

void profile__rename(struct profile **profile, const struct renamer *renamer, uint64_t *nr_samples)
{
	struct renaming renaming = {
		.renamer = renamer,
		.renamed = profile__new_like(*profile, profile__dictionary(*profile))};
	size_t nr;
	const struct sample *samples = profile__samples(*profile, &nr);

	profile__reserve(renaming.renamed, nr);
	for (size_t i = 0; i < nr; i++) {
		struct sample sample = samples[i];

		rename_stack(&renaming, &sample);
		profile__add(renaming.renamed, &sample);
	}
	free(renaming.frames);
	profile__free(*profile);
	*profile = renaming.renamed;
	*nr_samples = sum_of(*nr_samples, renaming.nr_samples);
}

void recording__rename(struct recording *recording, const struct renamer *renamer,
		       uint64_t *nr_samples)
{
	uint64_t nr_again = 0; /* not counted: slices have the same samples */

	for (; recording; recording = recording->more) {
		profile__rename(&recording->profile, renamer, nr_samples);
		for (size_t i = 0; i < recording->nr_slices; i++)
			if (recording->slices[i])
				profile__rename(&recording->slices[i], renamer, &nr_again);
	}
}
