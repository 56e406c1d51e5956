// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pairs what is the same in all runs. Runs may have dictionaries of their own: every frame gets the
 * place of its normalised name and module, once per dictionary, and from then on places are
 * counted.
 *
 *   frame 17 of run 1, f.isra.0 @ libx.so -+
 *                                          +-> place f @ libx.so -> self unit 4, total unit 9
 *   frame 3 of run 2,  f @ libx.so --------+
 *
 * A sample whose leaf is a machine unit counts for that unit alone, and one taken within an
 * interrupt for [interrupts] alone.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/sums.h"
#include "diff/places.h"
#include "diff/statistics.h"
#include "topstacks/diff.h"

/* One interned function name in one interned module, of whatever dictionary. */
struct alias {
	const char *function, *module;
	struct place *place;
};

struct dictionary_map {
	const struct dictionary *dictionary;
	struct place **places; /* by frame */
};

struct match {
	const struct run *runs;
	size_t nr_runs;
	struct match_options options;
	struct places places;
	htab_t aliases;
	struct dictionary_map *maps; /* by run; those of one dictionary share places */
	struct place *no_stack, *machine, *interrupts;
	uint64_t stamp;

	struct comparison comparison;
	struct unit *units;
	struct place **owners;	 /* by unit */
	uint64_t *slices[SIDES]; /* by unit and interval */
	enum side *sides;
	double *divisors;
	double *incomplete;
};

/* ---- frames to places ---- */

static hashval_t hash_alias(const void *item)
{
	const struct alias *alias = item;
	const uintptr_t hashed[] = {(uintptr_t)alias->function, (uintptr_t)alias->module};

	return iterative_hash(hashed, sizeof(hashed), 0);
}

static int equal_aliases(const void *left, const void *right)
{
	const struct alias *a = left, *b = right;

	return a->function == b->function && a->module == b->module;
}

static struct place *find_function(struct match *match, const struct frame *frame, bool machine)
{
	int length = frame__name(frame, NULL, 0);
	char *name = malloc((size_t)length + 1), *normal = NULL;
	struct place *place = NULL;

	if (name) {
		frame__name(frame, name, (size_t)length + 1);
		normal = name_rules__apply(match->options.rules, name);
	}
	if (normal)
		place = places__name(&match->places, normal, frame->module, frame->kind, machine);
	free(normal);
	free(name);
	return place;
}

static struct place *find_place(struct match *match, const struct frame *frame)
{
	const struct machine_units *units = match->options.machine;
	bool kernel = frame->kind == FRAME_KERNEL;
	bool machine = kernel && machine_units__match(units, frame->function);

	if (kernel && machine_units__is_interrupt(units, frame->function))
		return match->interrupts;
	if (match->options.by != MATCH_MODULES)
		return find_function(match, frame, machine);
	if (machine)
		return match->machine;
	return places__name(&match->places, frame->module ? frame->module : "[unknown]", NULL,
			    frame->kind, false);
}

/* Many frames are of one function: its name is normalised once. */
static struct place *find_alias(struct match *match, const struct frame *frame)
{
	struct alias key = {.function = frame->function, .module = frame->module};
	struct alias *alias;
	struct place *place;
	void **slot;

	if (!frame->function)
		return find_place(match, frame);
	slot = htab_find_slot(match->aliases, &key, INSERT);
	if (!slot)
		return NULL;
	if (*slot)
		return ((struct alias *)*slot)->place;
	place = find_place(match, frame);
	alias = place ? malloc(sizeof(*alias)) : NULL;
	if (!alias) {
		htab_clear_slot(match->aliases, slot);
		return NULL;
	}
	key.place = place;
	*alias = key;
	*slot = alias;
	return place;
}

static int map_frames(struct match *match, size_t run)
{
	const struct dictionary *dictionary = profile__dictionary(match->runs[run].profile);
	struct dictionary_map *map = &match->maps[run];
	size_t nr_frames = dictionary__nr_frames(dictionary);

	map->dictionary = dictionary;
	for (size_t i = 0; i < run; i++) {
		if (match->maps[i].dictionary == dictionary) {
			map->places = match->maps[i].places;
			return 0;
		}
	}
	map->places = calloc(nr_frames + 1, sizeof(*map->places));
	if (!map->places)
		return -ENOMEM;
	for (size_t i = 0; i < nr_frames; i++) {
		map->places[i] = find_alias(match, dictionary__frame(dictionary, (uint32_t)i));
		if (!map->places[i])
			return -ENOMEM;
	}
	return 0;
}

static void free_maps(struct match *match)
{
	for (size_t run = 0; match->maps && run < match->nr_runs; run++) {
		bool shared = false;

		for (size_t i = 0; i < run; i++)
			shared |= match->maps[i].places == match->maps[run].places;
		if (!shared)
			free(match->maps[run].places);
	}
	free(match->maps);
}

/* ---- counting ---- */

/* The places of one sample's frames, leaf first. */
struct chain {
	struct place **places; /* by frame id */
	const uint32_t *frames;
	size_t nr_frames;
};

static struct chain chain_of(const struct match *match, size_t run, const struct sample *sample)
{
	struct chain chain = {.places = match->maps[run].places};

	chain.frames =
		dictionary__stack(match->maps[run].dictionary, sample->stack, &chain.nr_frames);
	return chain;
}

static struct place *chain__place(const struct chain *chain, size_t i)
{
	return chain->places[chain->frames[i]];
}

/* Whom the sample counts for. */
static struct place *chain__leaf(const struct match *match, const struct chain *chain)
{
	for (size_t i = 0; i < chain->nr_frames; i++) {
		if (chain__place(chain, i)->interrupt)
			return match->interrupts;
	}
	return chain->nr_frames ? chain__place(chain, 0) : match->no_stack;
}

/* The stack's own place, where stacks are compared. */
static struct place *stack_place(struct match *match, const struct chain *chain)
{
	struct place **frames, *place;

	place = chain__leaf(match, chain);
	if (place == match->no_stack || place == match->interrupts)
		return place;
	frames = calloc(chain->nr_frames, sizeof(*frames));
	if (!frames)
		return NULL;
	for (size_t i = 0; i < chain->nr_frames; i++)
		frames[i] = chain__place(chain, i);
	place = places__stack(&match->places, frames, chain->nr_frames);
	free(frames);
	return place;
}

static int count_sample(struct match *match, size_t run, const struct sample *sample)
{
	struct chain chain = chain_of(match, run, sample);
	struct place *leaf = chain__leaf(match, &chain);
	uint64_t count = sample->values[VALUE_COUNT];

	if (match->options.by == MATCH_STACKS)
		leaf = stack_place(match, &chain);
	if (!leaf)
		return -ENOMEM;
	leaf->self[run] = sum_of(leaf->self[run], count);
	if (leaf->machine || match->options.by == MATCH_STACKS)
		return 0;
	match->stamp++;
	for (size_t i = 0; i < chain.nr_frames; i++) {
		struct place *place = chain__place(&chain, i);

		if (place->stamp == match->stamp)
			continue;
		place->stamp = match->stamp;
		place->total[run] = sum_of(place->total[run], count);
	}
	return 0;
}

static int count_runs(struct match *match)
{
	int err = 0;

	for (size_t run = 0; run < match->nr_runs && !err; run++) {
		size_t nr_samples;
		const struct sample *samples =
			profile__samples(match->runs[run].profile, &nr_samples);

		err = map_frames(match, run);
		for (size_t i = 0; i < nr_samples && !err; i++)
			err = count_sample(match, run, &samples[i]);
	}
	return err;
}

/* What a total unit has of the samples whose leaf is this self unit. */
static int add_overlap(void *context, size_t self, uint64_t *inside)
{
	struct match *match = context;
	struct place *leaf = match->owners[self];

	for (size_t run = 0; run < match->nr_runs; run++) {
		size_t nr_samples;
		const struct sample *samples =
			profile__samples(match->runs[run].profile, &nr_samples);

		for (size_t i = 0; i < nr_samples; i++) {
			struct chain chain = chain_of(match, run, &samples[i]);

			if (chain__leaf(match, &chain) != leaf)
				continue;
			match->stamp++;
			for (size_t j = 0; j < chain.nr_frames; j++) {
				struct place *place = chain__place(&chain, j);
				uint64_t *sum;

				if (place->stamp == match->stamp || place->total_unit == SIZE_MAX)
					continue;
				place->stamp = match->stamp;
				sum = &inside[place->total_unit * match->nr_runs + run];
				*sum = sum_of(*sum, samples[i].values[VALUE_COUNT]);
			}
		}
	}
	return 0;
}

/* ---- units ---- */

static bool has_counts(const uint64_t *counts, size_t nr_runs)
{
	for (size_t run = 0; run < nr_runs; run++) {
		if (counts[run])
			return true;
	}
	return false;
}

/* Of a stack, its leaf's. */
static const struct place *named_place(const struct place *place)
{
	return place->nr_frames ? place->frames[0] : place;
}

static double find_effect(const struct match *match, const struct place *place)
{
	const struct match_options *options = &match->options;

	for (size_t i = options->nr_effects; i-- > 0;) {
		if (!fnmatch(options->effects[i].pattern, named_place(place)->name, 0))
			return options->effects[i].min_effect;
	}
	return 0;
}

static size_t add_unit(struct match *match, struct place *place, enum unit_kind kind)
{
	size_t unit = match->comparison.nr_units++;

	match->owners[unit] = place;
	match->units[unit] = (struct unit){
		.kind = kind,
		.machine = place->machine,
		.min_effect = find_effect(match, place),
		.counts = kind == UNIT_SELF ? place->self : place->total,
	};
	return unit;
}

static int make_units(struct match *match)
{
	size_t bytes = match->nr_runs * sizeof(uint64_t);

	match->units = calloc(2 * match->places.nr + 1, sizeof(*match->units));
	match->owners = calloc(2 * match->places.nr + 1, sizeof(*match->owners));
	if (!match->units || !match->owners)
		return -ENOMEM;
	for (size_t i = 0; i < match->places.nr; i++) {
		struct place *place = match->places.list[i];

		if (has_counts(place->self, match->nr_runs))
			place->self_unit = add_unit(match, place, UNIT_SELF);
		if (has_counts(place->total, match->nr_runs) &&
		    memcmp(place->self, place->total, bytes) != 0)
			place->total_unit = add_unit(match, place, UNIT_TOTAL);
	}
	return 0;
}

/* ---- slices ---- */

static int count_slice(struct match *match, size_t run, const struct profile *slice,
		       uint64_t *counts, size_t nr_intervals)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(slice, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		struct chain chain = chain_of(match, run, &samples[i]);
		const struct place *place = match->options.by == MATCH_STACKS
						    ? stack_place(match, &chain)
						    : chain__leaf(match, &chain);
		uint64_t *count;

		if (!place)
			return -ENOMEM;
		if (place->self_unit == SIZE_MAX)
			continue;
		count = &counts[place->self_unit * nr_intervals];
		*count = sum_of(*count, samples[i].values[VALUE_COUNT]);
	}
	return 0;
}

/* Neighbouring slices are joined here already: thousands of counts by unit would be too many. */
static int count_slices(struct match *match, size_t index)
{
	const struct run *run = &match->runs[index];
	size_t nr = run->nr_slices < MAX_INTERVALS ? run->nr_slices : MAX_INTERVALS;
	uint64_t *counts;
	int err = 0;

	if (nr < 2)
		return 0;
	counts = calloc(match->comparison.nr_units + 1, nr * sizeof(*counts));
	if (!counts)
		return -ENOMEM;
	match->slices[run->side] = counts;
	for (size_t i = 0; i < run->nr_slices && !err; i++) {
		if (run->slices[i])
			err = count_slice(match, index, run->slices[i],
					  &counts[i * nr / run->nr_slices], nr);
	}
	for (size_t u = 0; u < match->comparison.nr_units; u++) {
		if (match->units[u].kind == UNIT_SELF)
			match->units[u].slices[run->side] = &counts[u * nr];
	}
	match->comparison.nr_slices[run->side] = nr;
	return err;
}

static int make_slices(struct match *match)
{
	int err = 0;

	if (match->nr_runs != 2 || match->runs[0].side == match->runs[1].side)
		return 0;
	for (size_t run = 0; run < match->nr_runs && !err; run++)
		err = count_slices(match, run);
	return err;
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
	match->aliases = htab_try_create(1024, hash_alias, equal_aliases, free);
	match->maps = calloc(match->nr_runs + 1, sizeof(*match->maps));
	if (!match->aliases || !match->maps)
		return -ENOMEM;
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
		err = make_units(match);
	if (!err)
		err = make_slices(match);
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
	free_maps(match);
	if (match->aliases)
		htab_delete(match->aliases);
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
	const struct place *shown = named_place(place);

	return (struct match_unit){
		.name = shown->name,
		.module = shown->module,
		.kind = place->kind,
		.twin = unit == place->self_unit ? place->total_unit : place->self_unit,
	};
}

char *match__full_name(const struct match *match, size_t unit)
{
	const struct place *place = match->owners[unit];
	size_t length = 0;
	char *text, *end;

	if (!place->nr_frames)
		return strdup(place->name);
	for (size_t i = 0; i < place->nr_frames; i++)
		length += strlen(place->frames[i]->name) + 1;
	text = end = malloc(length);
	for (size_t i = place->nr_frames; text && i-- > 0;) {
		end = stpcpy(end, place->frames[i]->name);
		if (i)
			*end++ = ';';
	}
	return text;
}

/* ---- callers ---- */

/* The first other function above the innermost frame of place; NULL: there is none. */
static struct place *find_caller(const struct chain *chain, const struct place *place)
{
	bool inside = false;

	for (size_t i = 0; i < chain->nr_frames; i++) {
		struct place *at = chain__place(chain, i);

		if (at == place)
			inside = true;
		else if (inside)
			return at;
	}
	return NULL;
}

size_t match__caller(const struct match *match, size_t unit, enum side side, double *part)
{
	const struct place *place = match->owners[unit];
	double *counts = calloc(match->comparison.nr_units + 1, sizeof(*counts)), sum = 0;
	size_t best = SIZE_MAX;

	*part = 0;
	for (size_t run = 0; counts && run < match->nr_runs; run++) {
		size_t nr_samples;
		const struct sample *samples =
			profile__samples(match->runs[run].profile, &nr_samples);

		for (size_t i = 0; i < nr_samples && match->runs[run].side == side; i++) {
			struct chain chain = chain_of(match, run, &samples[i]);
			struct place *caller = find_caller(&chain, place);

			if (!caller || chain__leaf(match, &chain)->machine)
				continue;
			sum += (double)samples[i].values[VALUE_COUNT];
			if (caller->self_unit != SIZE_MAX)
				counts[caller->self_unit] += (double)samples[i].values[VALUE_COUNT];
		}
	}
	for (size_t u = 0; counts && u < match->comparison.nr_units; u++) {
		if (counts[u] > 0 && (best == SIZE_MAX || counts[u] > counts[best]))
			best = u;
	}
	if (best != SIZE_MAX)
		*part = counts[best] / sum;
	free(counts);
	return best;
}
