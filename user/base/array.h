/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arrays that grow: items in memory of malloc(), and how many there is room for, both zero at
 * first; and searching sorted ones.
 *
 *	array__reserve(&list->items, &list->capacity, list->nr_items + 1);
 *	list->items[list->nr_items++] = item;
 */
#ifndef TOPSTACKS_BASE_ARRAY_H
#define TOPSTACKS_BASE_ARRAY_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define ARRAY_FIRST_CAPACITY 16

/*
 * Makes room for at least `wanted` items, whose number a file or another process chooses. The room
 * doubles, so appending items one by one copies each of them at most twice. 0; or -ENOMEM, and the
 * array is unchanged.
 */
#define array__try_reserve(items, capacity, wanted) \
	array__try_reserve_bytes((items), (capacity), (wanted), sizeof(**(items)))

/* The same for items that topstacks counts. Where memory is short it grows by a sixteenth. */
#define array__reserve(items, capacity, wanted) \
	array__reserve_bytes((items), (capacity), (wanted), sizeof(**(items)))

/*
 * Returns the index of the first item of a sorted array whose field is at least `wanted`; nr_items
 * if there is none. The field is an unsigned number of 4 or 8 bytes.
 */
#define array__lower_bound(items, nr_items, field, wanted)                                       \
	array__bisect((const char *)(items) + offsetof(__typeof__(*(items)), field), (nr_items), \
		      sizeof(*(items)), sizeof((items)->field), (wanted))

/* The same for keys that lie item_bytes apart, of key_bytes each. Little endian only. */
static inline size_t array__bisect(const void *keys, size_t nr_items, size_t item_bytes,
				   size_t key_bytes, uint64_t wanted)
{
	size_t low = 0, high = nr_items;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		uint64_t key = 0;

		memcpy(&key, (const char *)keys + middle * item_bytes, key_bytes);
		if (key < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A pointer to another pointer type is no void **, so the pointer is copied by memcpy(). */
static inline int array__try_reserve_bytes(void *items, size_t *capacity, size_t wanted,
					   size_t item_bytes)
{
	size_t more = *capacity > SIZE_MAX / 2 ? SIZE_MAX : 2 * *capacity;
	void *grown;

	if (wanted <= *capacity)
		return 0;
	if (more < ARRAY_FIRST_CAPACITY)
		more = ARRAY_FIRST_CAPACITY;
	if (more < wanted)
		more = wanted;
	memcpy(&grown, items, sizeof(grown));
	grown = reallocarray(grown, more, item_bytes);
	if (!grown)
		return -ENOMEM;
	memcpy(items, &grown, sizeof(grown));
	*capacity = more;
	/* cppcheck-suppress memleak */
	return 0;
}

static inline void array__reserve_bytes(void *items, size_t *capacity, size_t wanted,
					size_t item_bytes)
{
	const size_t more = wanted + wanted / 16;
	void *grown;

	if (!array__try_reserve_bytes(items, capacity, wanted, item_bytes))
		return;
	memcpy(&grown, items, sizeof(grown));
	grown = xrealloc(grown, more > SIZE_MAX / item_bytes ? SIZE_MAX : more * item_bytes);
	memcpy(items, &grown, sizeof(grown));
	*capacity = more;
}

#endif
