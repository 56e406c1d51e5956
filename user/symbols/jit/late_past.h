/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that are gone, by address: a hash of the name that was told. Where different functions
 * overlapped, only that fact is kept, so reusing memory again and again does not make it grow.
 */
#ifndef TOPSTACKS_SYMBOLS_JIT_LATE_PAST_H
#define TOPSTACKS_SYMBOLS_JIT_LATE_PAST_H

#include "base/common.h"

#define TOLD_NOTHING 0
#define TOLD_SEVERAL 1 /* values from 2 on: one name */

struct late_past {
	uint64_t start, last;
	uint64_t told;
	uint64_t gone_ns; /* when the last function was gone; UINT64_MAX: not known */
};

/* Adds a range. *bytes grows and shrinks with the tree. 0, or -ENOMEM: the range may be missing. */
int late_past__add(void **tree, const struct late_past *past, size_t *bytes);

/* NULL: no function was there. */
const struct late_past *late_past__find(void *const *tree, uint64_t address);

void late_past__clear(void **tree, size_t *bytes);

#endif
