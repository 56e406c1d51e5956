/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Some memory for allocations during the lookup of the real functions, which may itself allocate.
 */
#ifndef TOPSTACKS_PRELOAD_EARLY_H
#define TOPSTACKS_PRELOAD_EARLY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns zeroed memory, aligned to 16 bytes, which is never freed. NULL: none is left. The block
 * is marked for ever (marks.h).
 */
void *early__allocate(size_t size);

/* Whether a block is from this memory; then *size is its size in bytes. */
bool early__has(const void *block, size_t *size);

#endif
