/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of counts that stop at the largest value instead of starting again at 0. */
#ifndef TOPSTACKS_BASE_SUMS_H
#define TOPSTACKS_BASE_SUMS_H

#include <stdint.h>

static inline uint64_t sum_of(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

#endif
