// SPDX-License-Identifier: GPL-2.0-only
/* Interning by content: names are compared as strings, paths by the places they are made of. */
#include "diff/places.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static bool equal_strings(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static hashval_t hash_place(const void *item)
{
	return ((const struct place *)item)->hash;
}

static int equal_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->hash != b->hash || a->parent != b->parent || a->function != b->function)
		return 0;
	return equal_strings(a->name, b->name) && equal_strings(a->module, b->module);
}

static void free_place(void *item)
{
	struct place *place = item;

	free((char *)place->name);
	free((char *)place->module);
	free(place);
}

/* With its counts behind it, which are zero. */
static struct place *copy_place(const struct place *key, size_t nr_runs)
{
	uint64_t *counts;
	struct place *place = calloc(1, sizeof(*place) + 2 * nr_runs * sizeof(*counts));

	if (!place)
		return NULL;
	counts = (uint64_t *)(place + 1);
	*place = *key;
	place->name = key->name ? strdup(key->name) : NULL;
	place->module = key->module ? strdup(key->module) : NULL;
	place->self = counts;
	place->total = counts + nr_runs;
	place->self_unit = place->total_unit = SIZE_MAX;
	if ((key->name && !place->name) || (key->module && !place->module)) {
		free_place(place);
		return NULL;
	}
	return place;
}

static int append_place(struct places *places, struct place *place)
{
	struct place **list;

	if (places->nr == places->room) {
		size_t room = places->room ? 2 * places->room : 256;

		list = reallocarray(places->list, room, sizeof(*list));
		if (!list)
			return -ENOMEM;
		places->list = list;
		places->room = room;
	}
	places->list[places->nr++] = place;
	return 0;
}

/* The place that is equal to key, which is copied if it is new. NULL: out of memory. */
static struct place *intern_place(struct places *places, struct place *key)
{
	void **slot = htab_find_slot_with_hash(places->table, key, key->hash, INSERT);
	struct place *place;

	if (!slot)
		return NULL;
	place = *slot;
	if (place)
		return place;
	place = copy_place(key, places->nr_runs);
	if (place && append_place(places, place)) {
		free_place(place);
		place = NULL;
	}
	if (place)
		*slot = place;
	else
		htab_clear_slot(places->table, slot);
	return place;
}

int places__init(struct places *places, size_t nr_runs)
{
	*places = (struct places){.nr_runs = nr_runs};
	/* Without random numbers, as early in a boot, the seed is 0. */
	if (getrandom(&places->seed, sizeof(places->seed), GRND_NONBLOCK) < 0)
		places->seed = 0;
	places->table = htab_try_create(1024, hash_place, equal_places, free_place);
	return places->table ? 0 : -ENOMEM;
}

void places__fini(struct places *places)
{
	if (places->table)
		htab_delete(places->table);
	free(places->list);
	*places = (struct places){0};
}

struct place *places__name(struct places *places, const char *name, const char *module,
			   enum frame_kind kind, bool machine)
{
	struct place key = {.name = name, .module = module, .kind = kind, .machine = machine};

	key.hash = iterative_hash(name, strlen(name), places->seed);
	if (module)
		key.hash = iterative_hash(module, strlen(module), key.hash);
	return intern_place(places, &key);
}

struct place *places__path(struct places *places, const struct place *parent,
			   const struct place *function)
{
	const void *hashed[] = {parent, function};
	struct place key = {
		.parent = parent,
		.function = function,
		.kind = function->kind,
		.machine = function->machine,
		.hash = iterative_hash(hashed, sizeof(hashed), places->seed),
	};

	return intern_place(places, &key);
}
