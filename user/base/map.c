// SPDX-License-Identifier: GPL-2.0-only
/*
 * Open addressing with linear probing: an item is in the slot of its hash, or in one of those
 * behind it, with none free in between. Hashes lie beside the pointers, so that a search looks at
 * few items but the wanted one.
 */
#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define FIRST_SLOTS 64 /* a power of two, as it doubles */

struct map_slot {
	uint32_t hash;
	void *item; /* NULL: free */
};

uint32_t map__random_seed(void)
{
	uint32_t seed;

	return getrandom(&seed, sizeof(seed), GRND_NONBLOCK) == sizeof(seed) ? seed : 0;
}

void map__init(struct map *map, int (*equals)(const void *item, const void *key),
	       void (*free_item)(void *item))
{
	*map = (struct map){.equals = equals, .free_item = free_item, .seed = map__random_seed()};
}

void map__fini(struct map *map)
{
	map__clear(map);
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

/* Returns the slot of the item that equals key, or the free one for it. key NULL: a free one. */
static struct map_slot *find_slot(const struct map *map, uint32_t hash, const void *key)
{
	for (size_t at = hash;; at++) {
		struct map_slot *slot = &map->slots[at & (map->nr_slots - 1)];

		if (!slot->item || (slot->hash == hash && key && map->equals(slot->item, key)))
			return slot;
	}
}

void *map__find(const struct map *map, const struct map_item *key)
{
	return map->nr_slots ? find_slot(map, key->hash, key)->item : NULL;
}

void map__add(struct map *map, struct map_item *item)
{
	const struct map before = *map;

	if (map->nr_items >= map->nr_slots / 3 * 2) {
		map->nr_slots = before.nr_slots ? 2 * before.nr_slots : FIRST_SLOTS;
		map->slots = xcalloc(map->nr_slots, sizeof(*map->slots));
		for (size_t i = 0; i < before.nr_slots; i++)
			if (before.slots[i].item)
				*find_slot(map, before.slots[i].hash, NULL) = before.slots[i];
		free(before.slots);
	}
	*find_slot(map, item->hash, NULL) = (struct map_slot){item->hash, item};
	map->nr_items++;
}

/* Removes the item of a slot. Items behind it that would not be found any more move up. */
static void empty_slot(struct map *map, struct map_slot *slot)
{
	const size_t mask = map->nr_slots - 1;
	size_t free_one = (size_t)(slot - map->slots), at = free_one;

	if (map->free_item)
		map->free_item(slot->item);
	map->nr_items--;
	while ((at = (at + 1) & mask), map->slots[at].item) {
		const size_t home = map->slots[at].hash & mask;

		if (((at - home) & mask) < ((at - free_one) & mask))
			continue;
		map->slots[free_one] = map->slots[at];
		free_one = at;
	}
	map->slots[free_one].item = NULL;
}

void map__remove(struct map *map, const struct map_item *key)
{
	struct map_slot *slot = map->nr_slots ? find_slot(map, key->hash, key) : NULL;

	if (slot && slot->item)
		empty_slot(map, slot);
}

void map__clear(struct map *map)
{
	for (size_t i = 0; i < map->nr_slots && map->free_item; i++)
		if (map->slots[i].item)
			map->free_item(map->slots[i].item);
	free(map->slots);
	map->slots = NULL;
	map->nr_slots = map->nr_items = 0;
}

/* Begins behind a free slot, so that an item that moves up is one that was not visited yet. */
void map__visit(struct map *map, bool (*visit)(void *item, void *context), void *context)
{
	size_t first = 0;

	while (first < map->nr_slots && map->slots[first].item)
		first++;
	for (size_t i = 1; i < map->nr_slots;) {
		struct map_slot *slot = &map->slots[(first + i) & (map->nr_slots - 1)];

		if (slot->item && visit(slot->item, context))
			empty_slot(map, slot);
		else
			i++;
	}
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

size_t map__nr_items(const struct map *map)
{
	return map->nr_items;
}

size_t map__memory_bytes(const struct map *map)
{
	return map->nr_slots * sizeof(*map->slots);
}
