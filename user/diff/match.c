// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pairs what is the same in all runs, by counting for places instead of frames.
 *
 * A sample whose leaf is a machine unit counts for that unit alone, and one taken within an
 * interrupt for [interrupts] alone.
 */
#include "diff/match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sums.h"
#include "diff/match_internal.h"

struct chain chain__of(const struct match *match, size_t run, const struct sample *sample)
{
	struct chain chain = {.places = match->maps[run].places};

	chain.frames =
		dictionary__stack(match->maps[run].dictionary, sample->stack, &chain.nr_frames);
	return chain;
}

struct place *chain__place(const struct chain *chain, size_t i)
{
	return chain->places[chain->frames[i]];
}

struct place *chain__leaf(const struct match *match, const struct chain *chain)
{
	for (size_t i = 0; i < chain->nr_frames; i++) {
		if (chain__place(chain, i)->interrupt)
			return match->interrupts;
	}
	return chain->nr_frames ? chain__place(chain, 0) : match->no_stack;
}

static struct place *find_path(struct match *match, const struct chain *chain)
{
	struct place *path = NULL;

	for (size_t i = chain->nr_frames; i-- > 0;) {
		path = places__path(&match->places, path, chain__place(chain, i));
		if (!path)
			return NULL;
	}
	return path;
}

static bool has_paths(const struct match *match)
{
	return match->options.by == MATCH_STACKS || match->options.by == MATCH_SUBTREES;
}

struct place *chain__owner(struct match *match, const struct chain *chain)
{
	struct place *leaf = chain__leaf(match, chain);

	if (!has_paths(match) || leaf == match->no_stack || leaf == match->interrupts)
		return leaf;
	return find_path(match, chain);
}

/* Each place of the stack, once: those of its functions, or those of its parts. */
struct walk {
	struct match *match;
	const struct chain *chain;
	struct place *path;
	size_t left;
};

static struct walk walk__begin(struct match *match, const struct chain *chain)
{
	match->stamp++;
	return (struct walk){match, chain, NULL, chain->nr_frames};
}

/* NULL: that was all, or there is no memory, which chain__owner() has found out before. */
static struct place *walk__next(struct walk *walk)
{
	while (walk->left-- > 0) {
		struct place *place = chain__place(walk->chain, walk->left);

		if (has_paths(walk->match))
			place = walk->path = places__path(&walk->match->places, walk->path, place);
		if (!place || place->stamp == walk->match->stamp)
			continue;
		place->stamp = walk->match->stamp;
		return place;
	}
	return NULL;
}

static int count_sample(struct match *match, size_t run, const struct sample *sample)
{
	struct chain chain = chain__of(match, run, sample);
	struct place *place = chain__owner(match, &chain);
	uint64_t count = sample->values[VALUE_COUNT];
	struct walk walk;

	if (!place)
		return -ENOMEM;
	place->self[run] = sum_of(place->self[run], count);
	if (place->machine || match->options.by == MATCH_STACKS)
		return 0;
	walk = walk__begin(match, &chain);
	while ((place = walk__next(&walk)))
		place->total[run] = sum_of(place->total[run], count);
	return 0;
}

static int count_runs(struct match *match)
{
	int err = 0;

	for (size_t run = 0; run < match->nr_runs && !err; run++) {
		size_t nr_samples;
		const struct sample *samples =
			profile__samples(match->runs[run].profile, &nr_samples);

		err = match__map_frames(match, run);
		for (size_t i = 0; i < nr_samples && !err; i++)
			err = count_sample(match, run, &samples[i]);
	}
	return err;
}

/* What a total unit has of the samples whose self unit is this one. */
static int add_overlap(void *context, size_t self, uint64_t *inside)
{
	struct match *match = context;
	const struct place *owner = match->owners[self];

	for (size_t run = 0; run < match->nr_runs; run++) {
		size_t nr_samples;
		const struct sample *samples =
			profile__samples(match->runs[run].profile, &nr_samples);

		for (size_t i = 0; i < nr_samples; i++) {
			struct chain chain = chain__of(match, run, &samples[i]);
			const struct place *place;
			struct walk walk;

			if (chain__owner(match, &chain) != owner)
				continue;
			walk = walk__begin(match, &chain);
			while ((place = walk__next(&walk))) {
				uint64_t *sum = &inside[place->total_unit * match->nr_runs + run];

				if (place->total_unit != SIZE_MAX)
					*sum = sum_of(*sum, samples[i].values[VALUE_COUNT]);
			}
		}
	}
	return 0;
}

/* ---- the whole ---- */

static int make_runs(struct match *match)
{
	match->sides = calloc(match->nr_runs + 1, sizeof(*match->sides));
	match->divisors = calloc(match->nr_runs + 1, sizeof(*match->divisors));
	match->incomplete = calloc(match->nr_runs + 1, sizeof(*match->incomplete));
	if (!match->sides || !match->divisors || !match->incomplete)
		return -ENOMEM;
	match->comparison.sides = match->sides;
	match->comparison.incomplete = match->incomplete;
	match->comparison.nr_runs = match->nr_runs;
	for (size_t run = 0; run < match->nr_runs; run++) {
		match->sides[run] = match->runs[run].side;
		match->divisors[run] = match->runs[run].divisor;
		match->incomplete[run] = match->runs[run].incomplete;
		if (match->divisors[run] != 0)
			match->comparison.divisors = match->divisors;
	}
	return 0;
}

static int make_places(struct match *match)
{
	int err = places__init(&match->places, match->nr_runs);

	if (err)
		return err;
	err = match__init_maps(match);
	if (err)
		return err;
	match->no_stack = places__name(&match->places, "[no stack]", NULL, FRAME_USER, false);
	match->machine = places__name(&match->places, "[machine]", NULL, FRAME_KERNEL, true);
	match->interrupts = places__name(&match->places, "[interrupts]", NULL, FRAME_KERNEL, true);
	if (!match->no_stack || !match->machine || !match->interrupts)
		return -ENOMEM;
	match->interrupts->interrupt = true;
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
	match->runs = runs;
	match->nr_runs = nr_runs;
	match->options = *options;
	err = make_places(match);
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
	match__free_maps(match);
	places__fini(&match->places);
	free(match);
}

const struct comparison *match__comparison(const struct match *match)
{
	return &match->comparison;
}

struct match_unit match__unit(const struct match *match, size_t unit)
{
	const struct place *place = match->owners[unit];
	const struct place *shown = place__function(place);

	return (struct match_unit){
		.name = shown->name,
		.module = shown->module,
		.kind = place->kind,
		.twin = unit == place->self_unit ? place->total_unit : place->self_unit,
	};
}

/* From the root on, which is the last to be found. */
static char *write_path(const struct place *place)
{
	size_t length = 0;
	char *text, *at;

	for (const struct place *p = place; p; p = p->parent)
		length += strlen(p->function->name) + 1;
	text = malloc(length);
	if (!text)
		return NULL;
	at = text + length;
	for (const struct place *p = place; p; p = p->parent) {
		size_t nr_bytes = strlen(p->function->name);

		*--at = p == place ? '\0' : ';';
		at -= nr_bytes;
		memcpy(at, p->function->name, nr_bytes);
	}
	return text;
}

char *match__full_name(const struct match *match, size_t unit)
{
	const struct place *place = match->owners[unit];

	return place->function ? write_path(place) : strdup(place->name);
}
