// SPDX-License-Identifier: GPL-2.0-only
/* libiberty's table of pointers, and what each user of it would need beside. */
#include "base/map.h"

#include <errno.h>
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

int map__init(struct map *map, int (*equals)(const void *item, const void *key),
	      void (*free_item)(void *item))
{
	*map = (struct map){
		.table = htab_try_create(FIRST_SIZE, hash_of, equals, free_item),
		.seed = map__random_seed(),
	};
	return map->table ? 0 : -ENOMEM;
}

void map__fini(struct map *map)
{
	if (map->table)
		htab_delete(map->table);
	*map = (struct map){0};
}

uint32_t map__hash(const struct map *map, const void *bytes, size_t nr_bytes)
{
	return map__hash_more(map->seed, bytes, nr_bytes);
}

uint32_t map__hash_more(uint32_t hash, const void *bytes, size_t nr_bytes)
{
	return iterative_hash(bytes, nr_bytes, hash);
}

void *map__find(const struct map *map, const struct map_item *key)
{
	return htab_find_with_hash(map->table, key, key->hash);
}

int map__add(struct map *map, struct map_item *item)
{
	void **slot = htab_find_slot_with_hash(map->table, item, item->hash, INSERT);

	if (!slot)
		return -ENOMEM;
	*slot = item;
	return 0;
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

int map__init_numbers(struct map *map, void (*free_item)(void *item))
{
	return map__init(map, equal_numbers, free_item);
}

/* All bits count in the upper half of the product; the table takes a remainder of that. */
struct map_number map__number(const struct map *map, uint64_t number)
{
	uint64_t mixed = (number ^ number >> 32 ^ map->seed) * 0x9e3779b97f4a7c15ULL;

	return (struct map_number){{(uint32_t)(mixed >> 32)}, number};
}

void *map__find_number(const struct map *map, uint64_t number)
{
	const struct map_number key = map__number(map, number);

	return map__find(map, &key.item);
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
