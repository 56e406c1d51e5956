/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A hash map: items found by whatever in them makes two of them equal.
 *
 * An item begins with a struct map_item, which keeps its hash, so that growing reads no contents.
 * To look something up, fill a struct of the same type as key, its hash by map__hash():
 *
 *	struct answer { struct map_item item; uint64_t id; char *path; };
 *
 *	struct answer key = {.id = id};
 *	key.item.hash = map__hash(&map, &key.id, sizeof(key.id));
 *	answer = map__find(&map, &key.item);
 *
 * Hashes begin with a seed that is another one for each map: who chooses the contents, such as
 * names and ids in a file, must not be able to choose which of them collide.
 */
#ifndef TOPSTACKS_BASE_MAP_H
#define TOPSTACKS_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_item {
	uint32_t hash;
};

struct map {
	struct htab *table;
	uint32_t seed;
};

/* A seed that nobody can foresee; 0 where there are no random numbers, as early in a boot. */
uint32_t map__random_seed(void);

/*
 * equals tells whether two items are; free_item (NULL: nothing to do) is called for what is
 * removed. 0 or -ENOMEM, after which the map is as one that is zeroed: fini may be called.
 */
int map__init(struct map *map, int (*equals)(const void *item, const void *key),
	      void (*free_item)(void *item));
void map__fini(struct map *map);

uint32_t map__hash(const struct map *map, const void *bytes, size_t nr_bytes);

/* Of a key in several pieces: goes on from the hash of those before. */
uint32_t map__hash_more(uint32_t hash, const void *bytes, size_t nr_bytes);

/* NULL: there is none like it. */
void *map__find(const struct map *map, const struct map_item *key);

/* Adds what is equal to no item of the map. 0; or -ENOMEM, and the item stays the caller's. */
int map__add(struct map *map, struct map_item *item);

void map__remove(struct map *map, const struct map_item *key);
void map__clear(struct map *map);

/*
 * Shows each item, in no order; one for which visit returns true is removed. Visits add nothing. A
 * map that is zeroed has no items.
 */
void map__visit(struct map *map, bool (*visit)(void *item, void *context), void *context);

/* Items that are found by a number begin with this one. */
struct map_number {
	struct map_item item;
	uint64_t number;
};

/* A map of such items. As map__init. */
int map__init_numbers(struct map *map, void (*free_item)(void *item));

struct map_number map__number(const struct map *map, uint64_t number);
void *map__find_number(const struct map *map, uint64_t number);

/* A zeroed item of so many bytes, added under a number that was free. NULL: out of memory. */
void *map__add_number(struct map *map, uint64_t number, size_t item_bytes);

/* The same for a set of numbers, without more in the items: no harm if it is there. 0 or -ENOMEM. */
int map__note_number(struct map *map, uint64_t number);

/* Whether it was there. */
bool map__remove_number(struct map *map, uint64_t number);

size_t map__nr_items(const struct map *map);

/* Of the map alone, without its items. */
size_t map__memory_bytes(const struct map *map);

#endif
