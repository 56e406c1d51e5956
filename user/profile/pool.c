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

void *pool__copy(struct pool *pool, const void *bytes, size_t size)
{
	void *copy;

	if (!pool->arena)
		pool->arena = objalloc_create();
	copy = pool->arena ? objalloc_alloc(pool->arena, size) : NULL;
	if (!copy)
		return NULL;
	memcpy(copy, bytes, size);
	pool->arena_bytes += size;
	return copy;
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

uint32_t pool__intern(struct pool *pool, const struct pool_item *key, size_t size)
{
	const struct pool_item *known = pool__find(pool, key);
	struct pool_item *item;

	if (known)
		return known->id;
	if (reserve_item(pool))
		return ID_NONE;
	item = pool__copy(pool, key, size);
	if (!item || map__add(&pool->map, &item->map_item))
		return ID_NONE;
	item->id = (uint32_t)pool->nr_items;
	pool->items[pool->nr_items++] = item;
	return item->id;
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
	key.bytes = pool__copy(pool, bytes, nr_bytes);
	return key.bytes ? pool__intern(pool, &key.item, sizeof(key)) : ID_NONE;
}

const void *pool__bytes(const struct pool *pool, uint32_t number)
{
	return ((const struct pool_bytes *)(const void *)pool->items[number])->bytes;
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
