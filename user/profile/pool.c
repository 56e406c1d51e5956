// SPDX-License-Identifier: GPL-2.0-only
/*
 * Items live in an arena, which never moves them; the hash table and the list by id only point to
 * them. An item's hash is kept in it, so growing the table reads no contents.
 */
#include "profile/pool.h"

#include <libiberty/objalloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* What is equal if its bytes are. */
struct pool_bytes {
	struct pool_item item;
	uint32_t nr_bytes;
	const void *bytes;
};

static int equal_bytes(const void *left, const void *right)
{
	const struct pool_bytes *a = left, *b = right;

	return a->item.hash == b->item.hash && a->nr_bytes == b->nr_bytes &&
	       !memcmp(a->bytes, b->bytes, a->nr_bytes);
}

void pool__clear(struct pool *pool)
{
	map__fini(&pool->map);
	if (pool->arena)
		objalloc_free(pool->arena);
	free(pool->items);
	*pool = (struct pool){.equal = pool->equal};
}

const struct pool_item *pool__find(const struct pool *pool, const struct pool_item *key)
{
	return pool->map.table ? map__find(&pool->map, &key->map_item) : NULL;
}

static void *allocate(struct pool *pool, size_t size)
{
	if (!pool->arena)
		pool->arena = objalloc_create();
	pool->arena_bytes += size;
	return pool->arena ? objalloc_alloc(pool->arena, size) : NULL;
}

void *pool__copy(struct pool *pool, const void *bytes, size_t size)
{
	void *copy = allocate(pool, size);

	return copy ? memcpy(copy, bytes, size) : NULL;
}

/* Room for one more item, before anything is changed. */
static int reserve_item(struct pool *pool)
{
	if (pool->nr_items == ID_NONE)
		return -1;
	if (!pool->map.table &&
	    map__init(&pool->map, pool->equal ? pool->equal : equal_bytes, NULL))
		return -1;
	return array__reserve(&pool->items, &pool->capacity, pool->nr_items + 1);
}

/* The id of an item of the arena, which is equal to none that is there; or ID_NONE. */
static uint32_t add_item(struct pool *pool, struct pool_item *item)
{
	if (!item || map__add(&pool->map, &item->map_item))
		return ID_NONE;
	item->id = (uint32_t)pool->nr_items;
	pool->items[pool->nr_items++] = item;
	return item->id;
}

uint32_t pool__intern(struct pool *pool, const struct pool_item *key, size_t size)
{
	const struct pool_item *known = pool__find(pool, key);

	if (known)
		return known->id;
	return reserve_item(pool) ? ID_NONE : add_item(pool, pool__copy(pool, key, size));
}

/* With its bytes behind it. NULL: out of memory. */
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
	const struct pool_item *known;

	if (!pool->map.table && reserve_item(pool)) /* hashes are seeded by the map */
		return ID_NONE;
	key.item.hash = map__hash(&pool->map, bytes, nr_bytes);
	known = pool__find(pool, &key.item);
	if (known)
		return known->id;
	return reserve_item(pool) ? ID_NONE : add_item(pool, copy_bytes(pool, &key));
}

uint32_t pool__find_number(const struct pool *pool, const void *bytes, size_t nr_bytes)
{
	struct pool_bytes key = {.nr_bytes = (uint32_t)nr_bytes, .bytes = bytes};
	const struct pool_item *known;

	if (!pool->map.table)
		return ID_NONE;
	key.item.hash = map__hash(&pool->map, bytes, nr_bytes);
	known = pool__find(pool, &key.item);
	return known ? known->id : ID_NONE;
}

const void *pool__bytes(const struct pool *pool, uint32_t number)
{
	return ((const struct pool_bytes *)(const void *)pool->items[number])->bytes;
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
	size_t table = pool->map.table ? map__memory_bytes(&pool->map) : 0;

	return pool->arena_bytes + table + pool->capacity * sizeof(*pool->items);
}
