/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pool keeps one copy of each distinct item and numbers the items from 0: all interning here uses
 * it.
 *
 * Most items are equal if their bytes are, such as ids, or pointers to interned strings. A zeroed
 * pool is empty and ready for these, by pool__number(). Other items begin with a struct pool_item;
 * their pool is zeroed but for `equal`. To look one up, the caller fills a struct of the item's
 * type as key, with the hash of its contents, and calls pool__find or pool__intern. The pool calls
 * `equal` for items with the same hash.
 */
#ifndef TOPSTACKS_PROFILE_POOL_H
#define TOPSTACKS_PROFILE_POOL_H

#include "base/common.h"

#define ID_NONE UINT32_MAX

struct pool_item {
	uint32_t hash, id;
};

struct objalloc;
struct pool_slot;

struct pool {
	int (*equal)(const void *item, const void *key); /* by contents; NULL: by bytes */
	struct pool_slot *slots;			 /* NULL: it is empty */
	size_t nr_slots;
	uint32_t seed; /* of the hashes of bytes */
	struct objalloc *arena;
	struct pool_item **items; /* by id */
	size_t nr_items;
	size_t capacity;
	size_t arena_bytes;
};

/* Forgets and frees everything; the pool is empty and usable again. */
void pool__clear(struct pool *pool);

/* NULL: no item is equal to the key. */
const struct pool_item *pool__find(const struct pool *pool, const struct pool_item *key);

/*
 * Returns the id of the item that equals key; if there is none, adds a copy of the key's size
 * bytes. Memory that a key points to must live as long as the pool.
 */
uint32_t pool__intern(struct pool *pool, const struct pool_item *key, size_t size);

/* Returns the number of these bytes; new bytes are copied. */
uint32_t pool__number(struct pool *pool, const void *bytes, size_t nr_bytes);

/* Returns the number of these bytes; ID_NONE: the pool lacks them. */
uint32_t pool__find_number(const struct pool *pool, const void *bytes, size_t nr_bytes);

/* The bytes with this number, valid until the pool is cleared, and their length. */
const void *pool__bytes(const struct pool *pool, uint32_t number);
size_t pool__nr_bytes(const struct pool *pool, uint32_t number);

/* The number of bytes that pool__bytes() returned. */
uint32_t pool__number_of(const void *bytes);

/* A table of nr ids, all ID_NONE; the caller frees it. */
uint32_t *ids__new(size_t nr);

/* Bytes held, about. */
size_t pool__memory_bytes(const struct pool *pool);

#endif
