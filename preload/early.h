/* SPDX-License-Identifier: GPL-2.0-only */
/* A little memory for whoever allocates while the real functions are looked up, which may be the looking up. */
#ifndef TOPSTACKS_PRELOAD_EARLY_H
#define TOPSTACKS_PRELOAD_EARLY_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed, aligned to 16 bytes, and never free again. NULL: none is left. Marked for ever (marks.h). */
void *early__allocate(size_t size);

/* Whether a block is of this memory; then its size in bytes is told. */
bool early__has(const void *block, size_t *size);

#endif
