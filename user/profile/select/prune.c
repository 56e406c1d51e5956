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
 * Returns the length of a word at this place whose parentheses are no arguments; 0: no such word.
 */
static size_t reserved_bytes(const char *at)
{
	static const char *const reserved[] = {"(anonymous namespace)", "operator()"};

	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (!strncmp(at, reserved[i], strlen(reserved[i])))
			return strlen(reserved[i]);
	return 0;
}

/*
 * Copies the name without its arguments, and without the dot of entry points of PowerPC; free() it.
 * NULL: out of memory.
 */
static char *simplify(const char *name)
{
	const char *begin = name + (*name == '.'), *at = begin;
	size_t reserved;

	while ((reserved = reserved_bytes(at)) || (*at && *at != '('))
		at += reserved ? reserved : 1;
	return strndup(begin, (size_t)(at - begin));
}

static bool goes(struct pruning *pruning, const char *function)
{
	char *name = simplify(function);
	const bool matches =
		name && pattern__matches(pruning->drop, name, &pruning->steps) &&
		!(pruning->keep && pattern__matches(pruning->keep, name, &pruning->steps));

	if (!name)
		pruning->steps = 0; /* stops everything: the file counts as too large */
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

/* Index of the innermost frame of the location that ends before end. */
static size_t location_begin(const struct pruning *pruning, const uint32_t *frames, size_t end)
{
	size_t begin = end - 1;

	while (begin && dictionary__frame(pruning->dictionary, frames[begin - 1])->inlined)
		begin--;
	return begin;
}

/*
 * Returns how many frames of a location go: the outermost matching one, and all that is inlined
 * into it.
 */
static size_t count_going(struct pruning *pruning, const uint32_t *frames, size_t begin, size_t end)
{
	while (end > begin && !frame_goes(pruning, frames[end - 1]))
		end--;
	return end - begin;
}

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
		size_t going;

		begin = location_begin(pruning, frames, end);
		going = count_going(pruning, frames, begin, end);
		if (going == end - begin && !has_stayed)
			going = 0; /* the location stays, but pruning goes on */
		else if (!going)
			has_stayed = true;
		for (size_t i = end; i > begin + going; i--)
			pruning->frames[--left] = frames[i - 1];
		if (going && has_stayed)
			break;
	}
	memmove(pruning->frames, pruning->frames + left, (nr - left) * sizeof(*frames));
	return nr - left;
}

static uint32_t prune_stack(struct pruning *pruning, uint32_t stack)
{
	size_t nr_frames, nr;
	const uint32_t *frames = dictionary__stack(pruning->dictionary, stack, &nr_frames);

	if (array__reserve(&pruning->frames, &pruning->capacity, nr_frames + 1))
		return ID_NONE;
	nr = prune_frames(pruning, frames, nr_frames);
	return nr == nr_frames ? stack
			       : dictionary__add_stack(pruning->dictionary, pruning->frames, nr);
}

/* ---- profiles ---- */

static int prune_samples(struct pruning *pruning, const struct profile *profile,
			 struct profile *made, uint64_t *pruned)
{
	const enum value shown = profile__metrics(profile)->shown;
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		struct sample sample = samples[i];
		uint32_t *stack = &pruning->stacks[sample.stack];

		if (*stack == ID_NONE)
			*stack = prune_stack(pruning, sample.stack);
		if (*stack != sample.stack)
			*pruned = sum_of(*pruned, sample.values[shown]);
		sample.stack = *stack;
		if (*stack == ID_NONE || profile__add(made, &sample))
			return -ENOMEM;
	}
	return 0;
}

/* Returns a pruned copy. NULL: out of memory. */
static struct profile *prune_profile(struct pruning *pruning, const struct profile *profile,
				     uint64_t *pruned)
{
	struct profile *made = profile__new_like(profile, pruning->dictionary);

	if (made && prune_samples(pruning, profile, made, pruned)) {
		profile__free(made);
		return NULL;
	}
	return made;
}

static int prune_event(struct pruning *pruning, struct recording *event, uint64_t *pruned)
{
	uint64_t again = 0; /* slices have the same samples again: not counted */

	for (size_t i = 0; i <= event->nr_slices; i++) {
		struct profile **profile = i ? &event->slices[i - 1] : &event->profile;
		struct profile *made;

		if (!*profile)
			continue;
		made = prune_profile(pruning, *profile, i ? &again : pruned);
		if (!made)
			return -ENOMEM;
		profile__free(*profile);
		*profile = made;
	}
	return 0;
}

/* ---- the whole ---- */

static int init(struct pruning *pruning, const struct recording *recording)
{
	int code;

	pruning->dictionary = profile__dictionary(recording->profile);
	pruning->nr_verdicts = dictionary__nr_strings(pruning->dictionary);
	pruning->verdicts = calloc(pruning->nr_verdicts + 1, 1);
	pruning->stacks = ids__new(dictionary__nr_stacks(pruning->dictionary));
	pruning->drop = pattern__new(recording->drop_frames, &code);
	if (!code && recording->keep_frames)
		pruning->keep = pattern__new(recording->keep_frames, &code);
	pruning->steps = FREE_STEPS;
	for (uint32_t i = 0; i < pruning->nr_verdicts; i++)
		pruning->steps +=
			STEPS_PER_BYTE * strlen(dictionary__string(pruning->dictionary, i));
	return pruning->verdicts && pruning->stacks ? code : -ENOMEM;
}

static void fini(struct pruning *pruning)
{
	pattern__free(pruning->drop);
	pattern__free(pruning->keep);
	free(pruning->verdicts);
	free(pruning->stacks);
	free(pruning->frames);
}

/*
 * Matches all names first, so that a file that takes too many steps stays unchanged. 0 or -E2BIG.
 */
static int judge_names(struct pruning *pruning)
{
	const size_t nr_frames = dictionary__nr_frames(pruning->dictionary);

	for (size_t i = 0; i < nr_frames && pruning->steps; i++)
		frame_goes(pruning, (uint32_t)i);
	return pruning->steps ? 0 : -E2BIG;
}

int recording__prune(struct recording *recording, uint64_t *pruned)
{
	struct pruning pruning = {0};
	uint64_t others = 0;
	int code;

	if (!recording->drop_frames || !*recording->drop_frames)
		return 0;
	code = init(&pruning, recording);
	recording->drop_frames = recording->keep_frames = NULL;
	if (!code)
		code = judge_names(&pruning);
	for (struct recording *event = recording; event && !code; event = event->more)
		code = prune_event(&pruning, event, event == recording ? pruned : &others);
	fini(&pruning);
	return code ? code : recording__drop_unused(recording);
}
