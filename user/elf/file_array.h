/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arrays that grow by what a file says, mostly in a reader, whose memory is limited. Their lack of
 * memory is an error of that file, whereas array__reserve() of base/array.h never fails.
 */
#ifndef TOPSTACKS_ELF_FILE_ARRAY_H
#define TOPSTACKS_ELF_FILE_ARRAY_H

#include "base/common.h"

/* Makes room for at least `wanted` items; the room doubles. 0 or -ENOMEM, with nothing changed. */
#define file_array__reserve(items, capacity, wanted) \
	file_array__reserve_bytes((items), (capacity), (wanted), sizeof(**(items)))

/* A pointer to another pointer type is no void **, so the pointer is copied by memcpy(). */
static inline int file_array__reserve_bytes(void *items, size_t *capacity, size_t wanted,
					    size_t item_bytes)
{
	size_t more = 2 * *capacity;
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
	return 0;
}

#endif
