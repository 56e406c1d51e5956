/* SPDX-License-Identifier: GPL-2.0-only */
/* Growing an array that lives in malloc()ed memory, by half at a time. */
#ifndef TOPSTACKS_UNWIND_ARRAY_H
#define TOPSTACKS_UNWIND_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Makes room for one more element after nr. Returns the array, moved perhaps; NULL: it stayed. */
static inline void *array__reserve(void *array, size_t nr, size_t *capacity, size_t element_bytes)
{
	size_t more = *capacity + *capacity / 2 + 64;
	void *grown;

	if (nr < *capacity)
		return array;
	if (more > SIZE_MAX / element_bytes)
		return NULL;
	grown = realloc(array, more * element_bytes);
	if (grown)
		*capacity = more;
	return grown;
}

#endif
