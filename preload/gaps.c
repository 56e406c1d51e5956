// SPDX-License-Identifier: GPL-2.0-only
#include "gaps.h"

#include "chance.h"

/* Draws the next gap. With a mean of 1 each byte is hit. */
static uint64_t draw_gap(struct gaps *gaps)
{
	const uint64_t random = chance__next(&gaps->random);

	return gaps->mean == 1 ? 0 : chance__gap(random, gaps->mean);
}

void gaps__begin(struct gaps *gaps, uint64_t mean, uint64_t seed)
{
	gaps->mean = mean;
	gaps->random = seed;
	gaps->left = gaps->gap = draw_gap(gaps);
}

/*
 * size / chance, rounded up or down at random, so that it is right on average even if it is small.
 */
static uint64_t weigh(struct gaps *gaps, uint64_t size)
{
	const uint64_t chance = chance__of_hit(size, gaps->mean);
	const uint64_t part =
		(uint64_t)((unsigned __int128)chance__next(&gaps->random) * chance >> 64);

	return (uint64_t)(((unsigned __int128)size * CHANCE_ONE + part) / chance);
}

void gaps__take(struct gaps *gaps, uint64_t size, struct sampled *sampled)
{
	sampled->since = gaps->gap - gaps->left;
	sampled->weight = gaps->mean == 1 ? size : weigh(gaps, size);
	gaps->left = gaps->gap = draw_gap(gaps);
}
