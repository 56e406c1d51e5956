// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pairs what is the same in all runs, by counting for subjects instead of frames.
 *
 * A sample whose leaf is a machine unit counts for that unit alone, and one taken within an
 * interrupt for [interrupts] alone.
 */
#include "diff/match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sums.h"
#include "diff/match_units.h"

static int count_sample(struct match *match, size_t run, const struct sample *sample)
{
	struct chain chain = chain__of(&match->frames, run, sample);
	struct subject *subject = chain__owner(&chain, &match->frames);
	uint64_t count = sample->values[VALUE_COUNT];
	struct chain_walk walk;

	if (!subject)
		return -ENOMEM;
	subject->self[run] = sum_of(subject->self[run], count);
	if (subject->machine || match->frames.options.by == MATCH_STACKS)
		return 0;
	walk = chain_walk__begin(&match->frames, &chain);
	while ((subject = chain_walk__next(&walk)))
		subject->total[run] = sum_of(subject->total[run], count);
	return 0;
}

static int count_runs(struct match *match)
{
	int err = 0;

	for (size_t run = 0; run < match->frames.nr_runs && !err; run++) {
		size_t nr_samples;
		const struct sample *samples =
			profile__samples(match->frames.runs[run].profile, &nr_samples);

		err = matched_frames__add_run(&match->frames, run);
		for (size_t i = 0; i < nr_samples && !err; i++)
			err = count_sample(match, run, &samples[i]);
	}
	return err;
}

/* What a total unit has of the samples whose self unit is this one. */
static int add_overlap(void *context, size_t self, uint64_t *inside)
{
	struct match *match = context;
	const struct subject *owner = match->owners[self];

	for (size_t run = 0; run < match->frames.nr_runs; run++) {
		size_t nr_samples;
		const struct sample *samples =
			profile__samples(match->frames.runs[run].profile, &nr_samples);

		for (size_t i = 0; i < nr_samples; i++) {
			struct chain chain = chain__of(&match->frames, run, &samples[i]);
			const struct subject *subject;
			struct chain_walk walk;

			if (chain__owner(&chain, &match->frames) != owner)
				continue;
			walk = chain_walk__begin(&match->frames, &chain);
			while ((subject = chain_walk__next(&walk))) {
				uint64_t *sum =
					&inside[subject->total_unit * match->frames.nr_runs + run];

				if (subject->total_unit != SIZE_MAX)
					*sum = sum_of(*sum, samples[i].values[VALUE_COUNT]);
			}
		}
	}
	return 0;
}

/* ---- the whole ---- */

static int make_runs(struct match *match)
{
	match->sides = calloc(match->frames.nr_runs + 1, sizeof(*match->sides));
	match->divisors = calloc(match->frames.nr_runs + 1, sizeof(*match->divisors));
	match->incomplete = calloc(match->frames.nr_runs + 1, sizeof(*match->incomplete));
	if (!match->sides || !match->divisors || !match->incomplete)
		return -ENOMEM;
	match->comparison.sides = match->sides;
	match->comparison.incomplete = match->incomplete;
	match->comparison.nr_runs = match->frames.nr_runs;
	for (size_t run = 0; run < match->frames.nr_runs; run++) {
		match->sides[run] = match->frames.runs[run].side;
		match->divisors[run] = match->frames.runs[run].divisor;
		match->incomplete[run] = match->frames.runs[run].incomplete;
		if (match->divisors[run] != 0)
			match->comparison.divisors = match->divisors;
	}
	return 0;
}

int match__new(struct match **result, const struct run *runs, size_t nr_runs,
	       const struct match_options *options)
{
	struct match *match = calloc(1, sizeof(*match));
	int err;

	*result = NULL;
	if (!match)
		return -ENOMEM;
	err = matched_frames__init(&match->frames, runs, nr_runs, options);
	if (!err)
		err = count_runs(match);
	if (!err)
		err = match__make_units(match);
	if (!err)
		err = match__make_slices(match);
	if (!err)
		err = make_runs(match);
	if (err) {
		match__free(match);
		return err;
	}
	match->comparison.units = match->units;
	match->comparison.overlap = add_overlap;
	match->comparison.context = match;
	*result = match;
	return 0;
}

void match__free(struct match *match)
{
	if (!match)
		return;
	free(match->incomplete);
	free(match->divisors);
	free(match->sides);
	for (enum side side = 0; side < SIDES; side++)
		free(match->slices[side]);
	free(match->owners);
	free(match->units);
	matched_frames__fini(&match->frames);
	free(match);
}

const struct comparison *match__comparison(const struct match *match)
{
	return &match->comparison;
}

/* All that is below a path, or what ends there if nothing is. */
static size_t subtree_of(const struct subject *path)
{
	if (path->total_unit != SIZE_MAX)
		return path->total_unit;
	return path->machine ? SIZE_MAX : path->self_unit;
}

struct match_unit match__unit(const struct match *match, size_t unit)
{
	const struct subject *subject = match->owners[unit];
	const struct subject *shown = subject__function(subject);

	return (struct match_unit){
		.name = shown->name,
		.module = shown->module,
		.kind = subject->kind,
		.twin = unit == subject->self_unit ? subject->total_unit : subject->self_unit,
		.parent = subject->parent ? subtree_of(subject->parent) : SIZE_MAX,
	};
}

/* From the root on, which is the last to be found. */
static char *write_path(const struct subject *subject)
{
	size_t length = 0;
	char *text, *at;

	for (const struct subject *p = subject; p; p = p->parent)
		length += strlen(p->function->name) + 1;
	text = malloc(length);
	if (!text)
		return NULL;
	at = text + length;
	for (const struct subject *p = subject; p; p = p->parent) {
		size_t nr_bytes = strlen(p->function->name);

		*--at = p == subject ? '\0' : ';';
		at -= nr_bytes;
		memcpy(at, p->function->name, nr_bytes);
	}
	return text;
}

char *match__full_name(const struct match *match, size_t unit)
{
	const struct subject *subject = match->owners[unit];

	return subject->function ? write_path(subject) : strdup(subject->name);
}
