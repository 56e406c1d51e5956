// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the program of a profile: in each stack it is the outermost frame that is in a file, but in
 * no shared library. The program with most samples wins.
 */

#include "formats/pprof/pprof.h"
#include "profile/interned.h"
#include "profile/pool.h"

struct contender {
	const struct frame *frame;
	uint64_t total;
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

const struct frame *pprof__find_program(const struct profile *profile)
{
	const struct dictionary *dictionary = profile__dictionary(profile);
	const enum value shown = profile__metrics(profile)->shown;
	struct pool numbers = {0}; /* of programs; keys: module, path and build ID */
	struct contender *contenders = NULL, *most = NULL;
	const struct frame *program;
	size_t capacity = 0, nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		const struct frame *frame = program_of(dictionary, samples[i].stack);
		const size_t nr = numbers.nr_items;
		struct contender *contender;

		if (!frame)
			continue;
		array__reserve(&contenders, &capacity, nr + 1);
		contender = &contenders[pool__number(
			&numbers,
			(const char *const[]){frame->module, frame->path, frame->build_id},
			3 * sizeof(char *))];
		if (contender == &contenders[nr])
			*contender = (struct contender){.frame = frame};
		contender->total = sum_of(contender->total, samples[i].values[shown]);
	}
	for (size_t i = 0; i < numbers.nr_items; i++) /* the first of equal ones */
		if (!most || contenders[i].total > most->total)
			most = &contenders[i];
	program = most ? most->frame : NULL;
	free(contenders);
	pool__clear(&numbers);
	return program;
}
