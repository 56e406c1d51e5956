/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums and differences of counts that never start again at 0, or at the largest value. */
#ifndef TOPSTACKS_BASE_SUMS_H
#define TOPSTACKS_BASE_SUMS_H

#include <stdint.h>

static inline uint64_t sum_of(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* How much a count has grown since it was *known, which becomes what it is now; it never falls. */
static inline uint64_t growth_of(uint64_t *known, uint64_t now)
{
	uint64_t more = now > *known ? now - *known : 0;

	*known += more;
	return more;
}

/* Of the whole; of nothing it is nothing. */
static inline double share_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

#endif
