// SPDX-License-Identifier: GPL-2.0-only
/* Wraps libiberty's table of pointers, and adds what all its users need. */
#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <libiberty/ansidecl.h>
#include <libiberty/hashtab.h>

#define FIRST_SIZE 64

static hashval_t hash_of(const void *item)
{
	return ((const struct map_item *)item)->hash;
}

uint32_t map__random_seed(void)
{
	uint32_t seed;

	return getrandom(&seed, sizeof(seed), GRND_NONBLOCK) == sizeof(seed) ? seed : 0;
}

void map__init(struct map *map, int (*equals)(const void *item, const void *key),
	       void (*free_item)(void *item))
{
	*map = (struct map){
		.table = htab_create_alloc(FIRST_SIZE, hash_of, equals, free_item, xcalloc, free),
		.seed = map__random_seed(),
	};
}

void map__fini(struct map *map)
{
	if (map->table)
		htab_delete(map->table);
	*map = (struct map){0};
}

/* ---- hashing: eight bytes at a time, each folded in by a multiplication to 128 bits ---- */

static uint64_t fold(uint64_t a, uint64_t b)
{
	const unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t read_bytes(const char *bytes, size_t nr_bytes)
{
	uint64_t word = 0;

	memcpy(&word, bytes, nr_bytes);
	return word;
}

uint32_t map__hash_more(uint32_t hash, const void *key, size_t nr_bytes)
{
	uint64_t state = hash ^ 0xa0761d6478bd642fULL ^ nr_bytes;
	const char *bytes = key, *end = bytes + nr_bytes;

	for (; end - bytes > 8; bytes += 8)
		state = fold(state ^ read_bytes(bytes, 8), 0xe7037ed1a0b428dbULL);
	/* The last eight bytes, or all of fewer, of which some count twice. */
	if (nr_bytes > 8)
		state ^= read_bytes(end - 8, 8);
	else if (nr_bytes >= 4)
		state ^= read_bytes(bytes, 4) << 32 | read_bytes(end - 4, 4);
	else if (nr_bytes)
		state ^= read_bytes(bytes, 1) << 16 | read_bytes(bytes + nr_bytes / 2, 1) << 8 |
			 read_bytes(end - 1, 1);
	return (uint32_t)fold(state, 0x8ebc6af09c88c6e3ULL);
}

uint32_t map__hash(const struct map *map, const void *bytes, size_t nr_bytes)
{
	return map__hash_more(map->seed, bytes, nr_bytes);
}

/* ---- items ---- */

void *map__find(const struct map *map, const struct map_item *key)
{
	return htab_find_with_hash(map->table, key, key->hash);
}

void map__add(struct map *map, struct map_item *item)
{
	*htab_find_slot_with_hash(map->table, item, item->hash, INSERT) = item;
}

void map__remove(struct map *map, const struct map_item *key)
{
	htab_remove_elt_with_hash(map->table, (void *)(uintptr_t)key, key->hash);
}

void map__clear(struct map *map)
{
	htab_empty(map->table);
}

static int equal_numbers(const void *item, const void *key)
{
	return ((const struct map_number *)item)->number ==
	       ((const struct map_number *)key)->number;
}

void map__init_numbers(struct map *map, void (*free_item)(void *item))
{
	map__init(map, equal_numbers, free_item);
}

struct map_number map__number(const struct map *map, uint64_t number)
{
	return (struct map_number){{(uint32_t)fold(number ^ map->seed, 0x9e3779b97f4a7c15ULL)},
				   number};
}

void *map__find_number(const struct map *map, uint64_t number)
{
	const struct map_number key = map__number(map, number);

	return map__find(map, &key.item);
}

void *map__add_number(struct map *map, uint64_t number, size_t item_bytes)
{
	struct map_number *item = xcalloc(1, item_bytes);

	*item = map__number(map, number);
	map__add(map, &item->item);
	return item;
}

void map__note_number(struct map *map, uint64_t number)
{
	if (!map__find_number(map, number))
		map__add_number(map, number, sizeof(struct map_number));
}

bool map__remove_number(struct map *map, uint64_t number)
{
	struct map_number *item = map__find_number(map, number);

	if (item)
		map__remove(map, &item->item);
	return item;
}

struct map_visit {
	struct map *map;
	bool (*visit)(void *item, void *context);
	void *context;
};

static int visit_slot(void **slot, void *visits)
{
	const struct map_visit *visit = visits;

	if (visit->visit(*slot, visit->context))
		htab_clear_slot(visit->map->table, slot);
	return 1;
}

void map__visit(struct map *map, bool (*visit)(void *item, void *context), void *context)
{
	struct map_visit visits = {map, visit, context};

	if (map->table)
		htab_traverse_noresize(map->table, visit_slot, &visits);
}

size_t map__nr_items(const struct map *map)
{
	return htab_elements(map->table);
}

size_t map__memory_bytes(const struct map *map)
{
	return htab_size(map->table) * sizeof(void *);
}
