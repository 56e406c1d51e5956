/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that are gone: of each address what was told of it, as a number. Where different ones
 * overlapped, only that they did: so it grows no further when memory is used again and again.
 */
#ifndef TOPSTACKS_SYMBOLS_JIT_LATE_PAST_H
#define TOPSTACKS_SYMBOLS_JIT_LATE_PAST_H

#include <stddef.h>
#include <stdint.h>

#define TOLD_NOTHING 0
#define TOLD_SEVERAL 1 /* from 2 on: one name */

struct late_past {
	uint64_t start, last;
	uint64_t told;
	uint64_t gone_ns; /* when the last of them went; UINT64_MAX: not known */
};

/* *bytes grows and shrinks with the tree. 0, or -ENOMEM: something is missing. */
int late_past__add(void **tree, const struct late_past *past, size_t *bytes);

/* NULL: nothing was there. */
const struct late_past *late_past__find(void *const *tree, uint64_t address);

void late_past__clear(void **tree, size_t *bytes);

#endif
