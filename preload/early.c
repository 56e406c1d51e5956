// SPDX-License-Identifier: GPL-2.0-only
#include "early.h"

#include <stdint.h>
#include <string.h>

#include "state.h"

#define EARLY_BYTES 16384
#define ALIGNMENT   16

/* The size of each block is stored before it. */
static _Alignas(ALIGNMENT) char memory[EARLY_BYTES];
static size_t used;

void *early__allocate(size_t size)
{
	const size_t rounded = (size + ALIGNMENT - 1) & -(size_t)ALIGNMENT;
	size_t at;
	char *block;

	if (size > EARLY_BYTES)
		return NULL;
	at = __atomic_fetch_add(&used, ALIGNMENT + rounded, __ATOMIC_RELAXED);
	if (at > EARLY_BYTES || ALIGNMENT + rounded > EARLY_BYTES - at)
		return NULL;
	block = memory + at + ALIGNMENT;
	memcpy(block - ALIGNMENT, &size, sizeof(size));
	marks__add_for_ever(&marks, block);
	return block;
}

bool early__has(const void *block, size_t *size)
{
	if ((uintptr_t)block - (uintptr_t)memory >= EARLY_BYTES)
		return false;
	memcpy(size, (const char *)block - ALIGNMENT, sizeof(*size));
	return true;
}
