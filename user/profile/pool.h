/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pool keeps one copy of each distinct thing and numbers them from 0: the machinery below every
 * kind of interning here.
 *
 * Most things are equal if some bytes are, such as ids, or pointers to what is interned: a zeroed
 * pool is empty and ready for these, by pool__number(). What has more to it begins with a struct
 * pool_item. To look it up, its user fills a struct of the same type as key, with the hash of its
 * contents, and calls pool__find or pool__intern; its pool is zeroed but for equal, which is asked of
 * items whose hash is the key's.
 */
#ifndef TOPSTACKS_PROFILE_POOL_H
#define TOPSTACKS_PROFILE_POOL_H

#include <stddef.h>
#include <stdint.h>

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

/* NULL: there is none like it. */
const struct pool_item *pool__find(const struct pool *pool, const struct pool_item *key);

/*
 * The id of the item like key, which is a copy of the key's size bytes if there was none; or
 * ID_NONE when out of memory. What a key points to must live as long as the pool.
 */
uint32_t pool__intern(struct pool *pool, const struct pool_item *key, size_t size);

/* The number of these bytes, which are copied if they are new; or ID_NONE when out of memory. */
uint32_t pool__number(struct pool *pool, const void *bytes, size_t nr_bytes);

/* The same of bytes that may be there; ID_NONE: they are not. */
uint32_t pool__find_number(const struct pool *pool, const void *bytes, size_t nr_bytes);

/* What has this number, valid until the pool is cleared; and how many bytes it is. */
const void *pool__bytes(const struct pool *pool, uint32_t number);
size_t pool__nr_bytes(const struct pool *pool, uint32_t number);

/* The number of what pool__bytes() returned. */
uint32_t pool__number_of(const void *bytes);

/* A table of so many ids, all ID_NONE: free() it. NULL: out of memory. */
uint32_t *ids__new(size_t nr);

/* Bytes held, about. */
size_t pool__memory_bytes(const struct pool *pool);

#endif
