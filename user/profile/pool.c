// SPDX-License-Identifier: GPL-2.0-only
/*
 * Items live in an arena, which never moves them; the list by id only points to them. The hash
 * table has hashes and ids side by side: a search looks at an item only if its hash is the key's,
 * and growing looks at none.
 */
#include "profile/pool.h"

#include <libiberty/objalloc.h>

#define FIRST_SLOTS 64 /* a power of two, as it doubles */

/*
 * A slot of the hash table, with linear probing: an item is in the slot of its hash, or in the next
 * free one behind it.
 */
struct pool_slot {
	uint32_t hash, id; /* ID_NONE: free */
};

/* An item that is equal to others if its bytes are. */
struct pool_bytes {
	struct pool_item item;
	uint32_t nr_bytes;
	const void *bytes;
};

static int equal_bytes(const void *left, const void *right)
{
	const struct pool_bytes *a = left, *b = right;

	return a->nr_bytes == b->nr_bytes && !memcmp(a->bytes, b->bytes, a->nr_bytes);
}

void pool__clear(struct pool *pool)
{
	if (pool->arena)
		objalloc_free(pool->arena);
	free(pool->slots);
	free(pool->items);
	*pool = (struct pool){.equal = pool->equal};
}

/* ---- the hash table ---- */

/* Doubles the table. */
static void grow(struct pool *pool)
{
	const size_t wanted = pool->nr_slots ? 2 * pool->nr_slots : FIRST_SLOTS;
	struct pool_slot *slots;

	slots = xmalloc(wanted * sizeof(*slots));
	memset(slots, 0xff, wanted * sizeof(*slots));
	for (size_t i = 0; i < pool->nr_slots; i++) {
		size_t at = pool->slots[i].hash & (wanted - 1);

		if (pool->slots[i].id == ID_NONE)
			continue;
		while (slots[at].id != ID_NONE)
			at = (at + 1) & (wanted - 1);
		slots[at] = pool->slots[i];
	}
	if (!pool->slots)
		pool->seed = map__random_seed();
	free(pool->slots);
	pool->slots = slots;
	pool->nr_slots = wanted;
}

/* Makes room for one more item, so that a third of the slots stays free. */
static void reserve_slot(struct pool *pool)
{
	if (pool->nr_items >= pool->nr_slots / 3 * 2)
		grow(pool);
}

/* Returns the slot of an item equal to key, or the free slot for it. */
static struct pool_slot *find_slot(const struct pool *pool, const struct pool_item *key)
{
	int (*equal)(const void *, const void *) = pool->equal ? pool->equal : equal_bytes;
	const size_t mask = pool->nr_slots - 1;

	for (size_t at = key->hash & mask;; at = (at + 1) & mask) {
		struct pool_slot *slot = &pool->slots[at];

		if (slot->id == ID_NONE ||
		    (slot->hash == key->hash && equal(pool->items[slot->id], key)))
			return slot;
	}
}

const struct pool_item *pool__find(const struct pool *pool, const struct pool_item *key)
{
	const uint32_t id = pool->slots ? find_slot(pool, key)->id : ID_NONE;

	return id == ID_NONE ? NULL : pool->items[id];
}

/* ---- items ---- */

/* Puts a new item of this size into a free slot. The caller fills what follows its beginning. */
static void *add_item(struct pool *pool, struct pool_slot *slot, uint32_t hash, size_t size)
{
	struct pool_item *item = xobjalloc(&pool->arena, size);

	pool->arena_bytes += size;
	*item = (struct pool_item){hash, (uint32_t)pool->nr_items};
	*slot = (struct pool_slot){hash, item->id};
	array__reserve(&pool->items, &pool->capacity, pool->nr_items + 1);
	pool->items[pool->nr_items++] = item;
	return item;
}

uint32_t pool__intern(struct pool *pool, const struct pool_item *key, size_t size)
{
	struct pool_slot *slot;

	reserve_slot(pool);
	slot = find_slot(pool, key);
	if (slot->id == ID_NONE)
		memcpy((struct pool_item *)add_item(pool, slot, key->hash, size) + 1, key + 1,
		       size - sizeof(*key));
	return slot->id;
}

uint32_t pool__number(struct pool *pool, const void *bytes, size_t nr_bytes)
{
	struct pool_bytes key = {.nr_bytes = (uint32_t)nr_bytes, .bytes = bytes};
	struct pool_slot *slot;
	struct pool_bytes *item;

	reserve_slot(pool);
	key.item.hash = map__hash_more(pool->seed, bytes, nr_bytes);
	slot = find_slot(pool, &key.item);
	if (slot->id == ID_NONE) {
		item = add_item(pool, slot, key.item.hash, sizeof(*item) + nr_bytes);
		item->nr_bytes = key.nr_bytes;
		item->bytes = memcpy(item + 1, bytes, nr_bytes);
	}
	return slot->id;
}

uint32_t pool__find_number(const struct pool *pool, const void *bytes, size_t nr_bytes)
{
	const struct pool_bytes key = {.item.hash = map__hash_more(pool->seed, bytes, nr_bytes),
				       .nr_bytes = (uint32_t)nr_bytes,
				       .bytes = bytes};

	return pool->slots ? find_slot(pool, &key.item)->id : ID_NONE;
}

static const struct pool_bytes *bytes_item(const struct pool *pool, uint32_t number)
{
	return (const struct pool_bytes *)(const void *)pool->items[number];
}

const void *pool__bytes(const struct pool *pool, uint32_t number)
{
	return bytes_item(pool, number)->bytes;
}

size_t pool__nr_bytes(const struct pool *pool, uint32_t number)
{
	return bytes_item(pool, number)->nr_bytes;
}

uint32_t pool__number_of(const void *bytes)
{
	return ((const struct pool_bytes *)bytes - 1)->item.id;
}

uint32_t *ids__new(size_t nr)
{
	uint32_t *ids = xmalloc((nr + 1) * sizeof(*ids));

	memset(ids, 0xff, nr * sizeof(*ids));
	return ids;
}

size_t pool__memory_bytes(const struct pool *pool)
{
	return pool->arena_bytes + pool->nr_slots * sizeof(*pool->slots) +
	       pool->capacity * sizeof(*pool->items);
}
