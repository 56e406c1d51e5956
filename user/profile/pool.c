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

static struct pool_slot *new_slots(size_t nr)
{
	struct pool_slot *slots = reallocarray(NULL, nr, sizeof(*slots));

	return slots ? memset(slots, 0xff, nr * sizeof(*slots)) : NULL;
}

static void move_slot(struct pool_slot *slots, size_t mask, struct pool_slot slot)
{
	size_t at = slot.hash & mask;

	while (slots[at].id != ID_NONE)
		at = (at + 1) & mask;
	slots[at] = slot;
}

/* Makes room for one more item, so that a third of the slots stays free. */
static int reserve_slot(struct pool *pool)
{
	const size_t wanted = pool->nr_slots ? 2 * pool->nr_slots : FIRST_SLOTS;
	struct pool_slot *slots;

	if (pool->nr_items < pool->nr_slots / 3 * 2)
		return 0;
	slots = new_slots(wanted);
	if (!slots)
		return -1;
	for (size_t i = 0; i < pool->nr_slots; i++)
		if (pool->slots[i].id != ID_NONE)
			move_slot(slots, wanted - 1, pool->slots[i]);
	if (!pool->slots)
		pool->seed = map__random_seed();
	free(pool->slots);
	pool->slots = slots;
	pool->nr_slots = wanted;
	return 0;
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

static void *allocate(struct pool *pool, size_t size)
{
	if (!pool->arena)
		pool->arena = objalloc_create();
	pool->arena_bytes += size;
	return pool->arena ? objalloc_alloc(pool->arena, size) : NULL;
}

/* Makes room for one more item, so that adding it cannot fail halfway. */
static int reserve_item(struct pool *pool)
{
	if (pool->nr_items == ID_NONE || reserve_slot(pool))
		return -1;
	return array__reserve(&pool->items, &pool->capacity, pool->nr_items + 1);
}

/* Puts an item of the arena into a free slot and returns its id. ID_NONE: item is NULL. */
static uint32_t add_item(struct pool *pool, struct pool_slot *slot, struct pool_item *item)
{
	if (!item)
		return ID_NONE;
	item->id = (uint32_t)pool->nr_items;
	*slot = (struct pool_slot){item->hash, item->id};
	pool->items[pool->nr_items++] = item;
	return item->id;
}

uint32_t pool__intern(struct pool *pool, const struct pool_item *key, size_t size)
{
	struct pool_slot *slot;
	void *copy;

	if (reserve_item(pool))
		return ID_NONE;
	slot = find_slot(pool, key);
	if (slot->id != ID_NONE)
		return slot->id;
	copy = allocate(pool, size);
	return add_item(pool, slot, copy ? memcpy(copy, key, size) : NULL);
}

/* Copies an item with its bytes behind it. NULL: out of memory. */
static struct pool_item *copy_bytes(struct pool *pool, const struct pool_bytes *key)
{
	struct pool_bytes *copy = allocate(pool, sizeof(*copy) + key->nr_bytes);

	if (copy) {
		*copy = *key;
		copy->bytes = memcpy(copy + 1, key->bytes, key->nr_bytes);
	}
	return copy ? &copy->item : NULL;
}

uint32_t pool__number(struct pool *pool, const void *bytes, size_t nr_bytes)
{
	struct pool_bytes key = {.nr_bytes = (uint32_t)nr_bytes, .bytes = bytes};
	struct pool_slot *slot;

	if (reserve_item(pool))
		return ID_NONE;
	key.item.hash = map__hash_more(pool->seed, bytes, nr_bytes);
	slot = find_slot(pool, &key.item);
	return slot->id == ID_NONE ? add_item(pool, slot, copy_bytes(pool, &key)) : slot->id;
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
	uint32_t *ids = reallocarray(NULL, nr + 1, sizeof(*ids));

	if (ids)
		memset(ids, 0xff, nr * sizeof(*ids));
	return ids;
}

size_t pool__memory_bytes(const struct pool *pool)
{
	return pool->arena_bytes + pool->nr_slots * sizeof(*pool->slots) +
	       pool->capacity * sizeof(*pool->items);
}
