/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A hash map of items. The type of the items defines which of them are equal.
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
 * Each map has another random seed for its hashes: the author of the contents, such as names and
 * ids in a file, must not be able to choose which of them collide.
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

/* Returns an unpredictable seed; 0 where there are no random numbers, as early in a boot. */
uint32_t map__random_seed(void);

/*
 * equals compares an item with a key; free_item (may be NULL) is called for removed items.
 */
void map__init(struct map *map, int (*equals)(const void *item, const void *key),
	       void (*free_item)(void *item));
void map__fini(struct map *map);

uint32_t map__hash(const struct map *map, const void *bytes, size_t nr_bytes);

/* Continues the hash of a key in several pieces. */
uint32_t map__hash_more(uint32_t hash, const void *bytes, size_t nr_bytes);

/* NULL: there is no equal item. */
void *map__find(const struct map *map, const struct map_item *key);

/* Adds an item; the map must have no equal one. */
void map__add(struct map *map, struct map_item *item);

void map__remove(struct map *map, const struct map_item *key);
void map__clear(struct map *map);

/*
 * Visits each item, in no order, and removes those for which visit returns true. visit must not add
 * items. A zeroed map has no items.
 */
void map__visit(struct map *map, bool (*visit)(void *item, void *context), void *context);

/* The beginning of items that are found by a number. */
struct map_number {
	struct map_item item;
	uint64_t number;
};

/* Initializes a map of such items. */
void map__init_numbers(struct map *map, void (*free_item)(void *item));

struct map_number map__number(const struct map *map, uint64_t number);
void *map__find_number(const struct map *map, uint64_t number);

/* Adds a zeroed item of item_bytes under a free number. */
void *map__add_number(struct map *map, uint64_t number, size_t item_bytes);

/* Adds a number to a set, whose items hold nothing else; it may be there already. */
void map__note_number(struct map *map, uint64_t number);

/* Returns whether the number was in the map. */
bool map__remove_number(struct map *map, uint64_t number);

size_t map__nr_items(const struct map *map);

/* Bytes of the map without its items. */
size_t map__memory_bytes(const struct map *map);

#endif
