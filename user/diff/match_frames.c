// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frames to places. Runs may have dictionaries of their own: every frame gets the place of its
 * normalised name and module, once per dictionary, and from then on places are counted.
 *
 *   frame 17 of run 1, f.isra.0 @ libx.so -+
 *                                          +-> place f @ libx.so -> self unit 4, total unit 9
 *   frame 3 of run 2,  f @ libx.so --------+
 */
#include <errno.h>
#include <stdlib.h>

#include "diff/machine_units.h"
#include "diff/match_internal.h"
#include "diff/names.h"

/* One interned function name in one interned module, of whatever dictionary. */
struct alias {
	const char *function, *module;
	struct place *place;
};

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

int match__init_maps(struct match *match)
{
	match->aliases = htab_try_create(1024, hash_alias, equal_aliases, free);
	match->maps = calloc(match->nr_runs + 1, sizeof(*match->maps));
	return match->aliases && match->maps ? 0 : -ENOMEM;
}

int match__map_frames(struct match *match, size_t run)
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

void match__free_maps(struct match *match)
{
	for (size_t run = 0; match->maps && run < match->nr_runs; run++) {
		bool shared = false;

		for (size_t i = 0; i < run; i++)
			shared |= match->maps[i].places == match->maps[run].places;
		if (!shared)
			free(match->maps[run].places);
	}
	free(match->maps);
	if (match->aliases)
		htab_delete(match->aliases);
}
