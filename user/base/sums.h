/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums and differences of counts that never wrap around. */
#ifndef TOPSTACKS_BASE_SUMS_H
#define TOPSTACKS_BASE_SUMS_H

#include <stdint.h>

static inline uint64_t sum_of(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* The growth of a count since *known, which is set to now; a count that falls has not grown. */
static inline uint64_t growth_of(uint64_t *known, uint64_t now)
{
	uint64_t more = now > *known ? now - *known : 0;

	*known += more;
	return more;
}

/* The share in percent; 0 if whole is 0. */
static inline double share_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

#endif
