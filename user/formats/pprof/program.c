// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the program of a profile: in each stack it is the outermost frame that is in a file, but in
 * no shared library. The program with most samples wins.
 */

#include "formats/pprof/pprof.h"
#include "profile/interned.h"
#include "profile/pool.h"

struct ballot {
	struct pool numbers; /* keys: module, path and build ID */
	struct contender {
		const struct frame *frame;
		uint64_t total;
	} * contenders;
	size_t capacity;
};

/* "libc.so.6", "_ssl.cpython-311-x86_64-linux-gnu.so" */
static bool is_library(const char *module)
{
	const char *suffix = strstr(module, ".so");

	while (suffix && suffix[3] && suffix[3] != '.')
		suffix = strstr(suffix + 1, ".so");
	return suffix != NULL;
}

static const struct frame *program_of(const struct dictionary *dictionary, uint32_t stack)
{
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(dictionary, stack, &nr_frames);

	while (nr_frames--) {
		const struct frame *frame = dictionary__frame(dictionary, frames[nr_frames]);

		if (frame->kind == FRAME_USER && frame->module && *frame->module != '[' &&
		    !is_library(frame->module))
			return frame;
	}
	return NULL;
}

/* Adds a sample to its program's total. Out of memory the sample is ignored. */
static void vote(struct ballot *ballot, const struct frame *frame, uint64_t value)
{
	const char *const key[] = {frame->module, frame->path, frame->build_id};
	const size_t nr = ballot->numbers.nr_items;
	uint32_t id;

	if (array__reserve(&ballot->contenders, &ballot->capacity, nr + 1))
		return;
	id = pool__number(&ballot->numbers, key, sizeof(key));
	if (id == ID_NONE)
		return;
	if (id == nr)
		ballot->contenders[id] = (struct contender){.frame = frame};
	ballot->contenders[id].total = sum_of(ballot->contenders[id].total, value);
}

/* The program with the largest total, the first of equal ones. */
static const struct frame *most_voted(const struct ballot *ballot)
{
	const struct contender *most = NULL;

	for (size_t i = 0; i < ballot->numbers.nr_items; i++)
		if (!most || ballot->contenders[i].total > most->total)
			most = &ballot->contenders[i];
	return most ? most->frame : NULL;
}

const struct frame *pprof__find_program(const struct profile *profile)
{
	const struct dictionary *dictionary = profile__dictionary(profile);
	const enum value shown = profile__metrics(profile)->shown;
	struct ballot ballot = {0};
	const struct frame *frame;
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		frame = program_of(dictionary, samples[i].stack);
		if (frame)
			vote(&ballot, frame, samples[i].values[shown]);
	}
	frame = most_voted(&ballot);
	free(ballot.contenders);
	pool__clear(&ballot.numbers);
	return frame;
}
