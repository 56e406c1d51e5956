// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prunes as github.com/google/pprof, profile/prune.go, does. Expressions are matched against names
 * without arguments, each name once. A location is all frames of one address: the inlined ones, and
 * their outer function.
 */
#include "profile/select/prune.h"

#include "base/pattern.h"
#include "profile/interned.h"

/*
 * Limit of matching steps for all names of a file. Expressions that list allocators take about 10
 * steps for a byte.
 */
#define FREE_STEPS     (1ULL << 24)
#define STEPS_PER_BYTE 512

enum fate { UNKNOWN, STAYS, GOES };

struct pruning {
	struct pattern *drop, *keep; /* keep may be NULL */
	uint64_t steps;		     /* left */
	struct dictionary *dictionary;
	unsigned char *verdicts; /* by string */
	size_t nr_verdicts;
	uint32_t *stacks; /* by old id; ID_NONE: not made yet */
	uint32_t *frames; /* of the current stack */
	size_t capacity;
};

/* ---- names ---- */

/*
 * Whether a function goes. Its arguments do not count, nor does the dot of entry points of PowerPC;
 * the parentheses of some words are no arguments.
 */
static bool goes(struct pruning *pruning, const char *function)
{
	static const char *const words[] = {"(anonymous namespace)", "operator()"};
	const char *begin = function + (*function == '.'), *at = begin;
	size_t length;
	char *name;
	bool matches;

	for (; *at; at += length) {
		length = *at != '(';
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (!strncmp(at, words[i], strlen(words[i])))
				length = strlen(words[i]);
		if (!length)
			break;
	}
	name = xstrndup(begin, (size_t)(at - begin));
	matches = pattern__matches(pruning->drop, name, &pruning->steps) &&
		  !(pruning->keep && pattern__matches(pruning->keep, name, &pruning->steps));
	free(name);
	return matches;
}

static bool frame_goes(struct pruning *pruning, uint32_t id)
{
	const char *function = dictionary__frame(pruning->dictionary, id)->function;
	unsigned char *verdict;

	if (!function || dictionary__string_id(function) >= pruning->nr_verdicts)
		return false;
	verdict = &pruning->verdicts[dictionary__string_id(function)];
	if (*verdict == UNKNOWN)
		*verdict = goes(pruning, function) ? GOES : STAYS;
	return *verdict == GOES;
}

/* ---- stacks ---- */

/*
 * Goes from the root to the leaf, and cuts at the first match below a location that stays whole.
 * Above that, a location that matches as a whole stays; one that matches in part loses the inlined
 * frames only. Fills pruning->frames; returns the number of frames left.
 */
static size_t prune_frames(struct pruning *pruning, const uint32_t *frames, size_t nr)
{
	size_t left = nr, begin, end;
	bool has_stayed = false;

	for (end = nr; end; end = begin) {
		size_t match =
			end; /* after the outermost match, which goes with all inlined into it */

		begin = end - 1;
		while (begin && dictionary__frame(pruning->dictionary, frames[begin - 1])->inlined)
			begin--;
		while (match > begin && !frame_goes(pruning, frames[match - 1]))
			match--;
		if (match == end && !has_stayed)
			match = begin; /* the location stays, but pruning goes on */
		else if (match == begin)
			has_stayed = true;
		for (size_t i = end; i > match; i--)
			pruning->frames[--left] = frames[i - 1];
		if (match > begin && has_stayed)
			break;
	}
	memmove(pruning->frames, pruning->frames + left, (nr - left) * sizeof(*frames));
	return nr - left;
}

static uint32_t prune_stack(struct pruning *pruning, uint32_t stack)
{
	size_t nr_frames, nr;
	const uint32_t *frames = dictionary__stack(pruning->dictionary, stack, &nr_frames);

	array__reserve(&pruning->frames, &pruning->capacity, nr_frames + 1);
	nr = prune_frames(pruning, frames, nr_frames);
	return nr == nr_frames ? stack
			       : dictionary__add_stack(pruning->dictionary, pruning->frames, nr);
}

/* Replaces the profile. Returns the shown value of all stacks that got shorter. */
static uint64_t prune_profile(struct pruning *pruning, struct profile **profile)
{
	const enum value shown = profile__metrics(*profile)->shown;
	struct profile *made = profile__new_like(*profile, pruning->dictionary);
	uint64_t pruned = 0;
	size_t nr_samples;
	const struct sample *samples = profile__samples(*profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		struct sample sample = samples[i];
		uint32_t *stack = &pruning->stacks[sample.stack];

		if (*stack == ID_NONE)
			*stack = prune_stack(pruning, sample.stack);
		if (*stack != sample.stack)
			pruned = sum_of(pruned, sample.values[shown]);
		sample.stack = *stack;
		profile__add(made, &sample);
	}
	profile__free(*profile);
	*profile = made;
	return pruned;
}

int recording__prune(struct recording *recording, uint64_t *pruned)
{
	struct dictionary *dictionary = profile__dictionary(recording->profile);
	struct pruning pruning = {.dictionary = dictionary, .steps = FREE_STEPS};
	int code;

	if (!recording->drop_frames || !*recording->drop_frames)
		return 0;
	pruning.nr_verdicts = dictionary__nr_strings(dictionary);
	pruning.verdicts = xcalloc(pruning.nr_verdicts + 1, 1);
	pruning.stacks = ids__new(dictionary__nr_stacks(dictionary));
	pruning.drop = pattern__new(recording->drop_frames, &code);
	if (!code && recording->keep_frames)
		pruning.keep = pattern__new(recording->keep_frames, &code);
	recording->drop_frames = recording->keep_frames = NULL;
	for (uint32_t i = 0; i < pruning.nr_verdicts; i++)
		pruning.steps += STEPS_PER_BYTE * strlen(dictionary__string(dictionary, i));

	/* All names are matched first: a file that takes too many steps stays as it is. */
	for (size_t i = 0; !code && i < dictionary__nr_frames(dictionary) && pruning.steps; i++)
		frame_goes(&pruning, (uint32_t)i);
	if (!code && !pruning.steps)
		code = -E2BIG;
	for (struct recording *event = recording; event && !code; event = event->more) {
		const uint64_t shortened = prune_profile(&pruning, &event->profile);

		if (event == recording)
			*pruned = sum_of(*pruned, shortened);
		for (size_t i = 0; i < event->nr_slices; i++)
			if (event->slices[i])
				prune_profile(&pruning, &event->slices[i]);
	}
	pattern__free(pruning.drop);
	pattern__free(pruning.keep);
	free(pruning.verdicts);
	free(pruning.stacks);
	free(pruning.frames);
	if (!code)
		recording__drop_unused(recording);
	return code;
}
