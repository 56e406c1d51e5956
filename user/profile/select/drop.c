// SPDX-License-Identifier: GPL-2.0-only
/*
 * The frames that are left become a complete stack. If the root goes, the last frame left becomes
 * the root; if a function goes, the code inlined into it stands for the function. Otherwise the
 * stack would seem to lack callers, and inlined code to be in the wrong function. A caller that
 * becomes the leaf gets the address of its call: the return address would mean the instruction
 * after it.
 */
#include "profile/select/drop.h"

#include <regex.h>

#include "profile/interned.h"
#include "profile/select/filter.h"

struct dropping {
	struct filter filter;
	struct profile *made;
	uint32_t *frames; /* frames left of the current stack */
	bool *has_called; /* by index in frames: it was a caller in the full stack */
	size_t nr, capacity, called_capacity;
	/*
	 * for the user; and a dummy for slices and other events, which have the same samples again
	 */
	struct dropped *dropped, again;
};

/*
 * The last frame left inherits the root flag of a dropped frame, and the end of an inlined chain.
 */
static void inherit(struct dropping *dropping, const struct frame *gone, bool was_next)
{
	struct dictionary *dictionary = profile__dictionary(dropping->made);
	uint32_t *last;
	struct frame frame;

	if (!dropping->nr)
		return;
	last = &dropping->frames[dropping->nr - 1];
	frame = *dictionary__frame(dictionary, *last);
	frame.root |= gone->root;
	frame.inlined &= !(was_next && !gone->inlined);
	*last = dictionary__add_frame(dictionary, &frame);
}

/*
 * True if the frame's address is a return address. first: index of the innermost frame at the same
 * address, which may be inlined into this one.
 */
static bool has_called(const struct dictionary *dictionary, const uint32_t *frames, size_t index,
		       size_t first)
{
	const struct frame *frame = dictionary__frame(dictionary, frames[index]);

	return frame->address && frame->kind != FRAME_INTERPRETED &&
	       (frame->offset || !frame->has_start) && stack__is_caller(dictionary, frames, first);
}

/* Index of the innermost frame at this address. first: that of the frame before. */
static size_t find_innermost(const struct dictionary *dictionary, const uint32_t *frames,
			     size_t index, size_t first)
{
	return index && dictionary__frame(dictionary, frames[index - 1])->inlined ? first : index;
}

static void move_to_calls(struct dropping *dropping)
{
	struct dictionary *dictionary = profile__dictionary(dropping->made);
	uint32_t *frames = dropping->frames;
	size_t first = 0;

	for (size_t i = 0; i < dropping->nr; i++) {
		struct frame frame;

		first = find_innermost(dictionary, frames, i, first);
		if (!dropping->has_called[i] || stack__is_caller(dictionary, frames, first))
			continue;
		frame = *dictionary__frame(dictionary, frames[i]);
		frame.address--;
		frame.offset -= frame.offset > 0;
		frames[i] = dictionary__add_frame(dictionary, &frame);
	}
}

static void keep_frames(struct dropping *dropping, const uint32_t *frames, size_t nr_frames)
{
	struct dictionary *dictionary = profile__dictionary(dropping->made);
	bool was_kept = false;
	size_t first = 0;

	dropping->nr = 0;
	array__reserve(&dropping->frames, &dropping->capacity, nr_frames + 1);
	array__reserve(&dropping->has_called, &dropping->called_capacity, nr_frames + 1);
	for (size_t i = 0; i < nr_frames; i++) {
		first = find_innermost(dictionary, frames, i, first);
		if (filter__matches_frame(&dropping->filter, frames[i])) {
			inherit(dropping, dictionary__frame(dictionary, frames[i]), was_kept);
			was_kept = false;
			continue;
		}
		dropping->has_called[dropping->nr] = has_called(dictionary, frames, i, first);
		dropping->frames[dropping->nr++] = frames[i];
		was_kept = true;
	}
	if (dropping->nr < nr_frames)
		move_to_calls(dropping);
}

/* A stack that loses all frames gets FRAME_DROPPED: an empty one would count as a lost one. */
static void drop_frames(struct dropping *dropping, struct sample *sample)
{
	static const struct frame none = {.function = FRAME_DROPPED, .root = true};
	struct dictionary *dictionary = profile__dictionary(dropping->made);
	struct dropped *dropped = dropping->dropped;
	const uint64_t count = sample->values[profile__metrics(dropping->made)->shown];
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(dictionary, sample->stack, &nr_frames);

	keep_frames(dropping, frames, nr_frames);
	if (dropping->nr == nr_frames)
		return;
	dropped->shortened = sum_of(dropped->shortened, count);
	if (!dropping->nr) {
		dropped->emptied = sum_of(dropped->emptied, count);
		dropping->frames[dropping->nr++] = dictionary__add_frame(dictionary, &none);
	}
	sample->stack = dictionary__add_stack(dictionary, dropping->frames, dropping->nr);
}

static void drop_in_profile(struct dropping *dropping, struct profile **profile)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(*profile, &nr_samples);

	dropping->made = profile__new_like(*profile, profile__dictionary(*profile));
	for (size_t i = 0; i < nr_samples; i++) {
		struct sample sample = samples[i];

		drop_frames(dropping, &sample);
		profile__add(dropping->made, &sample);
	}
	profile__free(*profile);
	*profile = dropping->made;
}

int recording__drop(struct recording *recording, const char *pattern, struct dropped *dropped,
		    struct error *err)
{
	struct dropping dropping = {.dropped = dropped};
	const int code = filter__init(&dropping.filter, profile__dictionary(recording->profile),
				      pattern, err);

	if (code)
		return code;
	for (; recording; recording = recording->more) {
		drop_in_profile(&dropping, &recording->profile);
		dropping.dropped = &dropping.again;
		for (size_t i = 0; i < recording->nr_slices; i++)
			if (recording->slices[i])
				drop_in_profile(&dropping, &recording->slices[i]);
	}
	filter__fini(&dropping.filter);
	free(dropping.frames);
	free(dropping.has_called);
	return 0;
}
