/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random sampling of allocations where no library chooses the blocks: the gap between two sampled
 * bytes of a thread is an exponential number with a given mean, so that each byte is as likely as
 * any other. A block of S bytes is hit with probability 1 - exp(-S / mean), and stands for S
 * divided by that.
 *
 * Programs in the kernel have no logarithm, so gaps and weights are tables, made by
 * user/capture/sources/alloc_chances.c.
 */
#ifndef TOPSTACKS_ALLOC_CHANCES_H
#define TOPSTACKS_ALLOC_CHANCES_H

#include <linux/types.h>

#define CHANCES_BITS  12
#define CHANCES_GAPS  (1U << CHANCES_BITS) /* quantiles: equally likely parts */
#define CHANCES_STEPS 64		   /* weights in the table for each mean bytes */
/* the table ends at so many means; a larger block stands for itself */
#define CHANCES_MOST  16
#define CHANCES_NR    (CHANCES_STEPS * CHANCES_MOST + 1)
#define CHANCES_SHIFT 16 /* weights in 1/65536 of a byte */

struct alloc_chances {
	__u64 mean;		   /* bytes, 1 to 1 TiB */
	__u64 gaps[CHANCES_GAPS];  /* bytes */
	__u64 weights[CHANCES_NR]; /* of blocks of 0, 1/64, 2/64, ... of the mean */
};

/* Returns a gap for 32 random bits. Between two quantiles the gap is uniform. */
static inline __attribute__((always_inline)) __u64
alloc_chances__between(const struct alloc_chances *chances, __u32 random)
{
	__u32 part = random % CHANCES_GAPS;
	__u64 low, width;

	if (part >= CHANCES_GAPS - 1)
		return chances->gaps[CHANCES_GAPS - 1];
	low = chances->gaps[part];
	width = chances->gaps[part + 1] - low;
	return low + (width * (random / CHANCES_GAPS) >> (32 - CHANCES_BITS));
}

/*
 * Returns the number of bytes up to and including the one that is sampled. Beyond the last quantile
 * it adds a second draw, which is exact, as an exponential number has no memory.
 */
static inline __attribute__((always_inline)) __u64
alloc_chances__gap(const struct alloc_chances *chances, __u64 random)
{
	__u64 gap = alloc_chances__between(chances, (__u32)random);

	if ((__u32)random % CHANCES_GAPS == CHANCES_GAPS - 1)
		gap += alloc_chances__between(chances, (__u32)(random >> 32));
	return gap + 1;
}

/*
 * Returns the bytes that a sampled block of that size stands for; linear between two table entries.
 */
static inline __attribute__((always_inline)) __u64
alloc_chances__weight(const struct alloc_chances *chances, __u64 size)
{
	__u64 mean = chances->mean, step, rest, low, slope;

	if (!mean || size / CHANCES_MOST >= mean)
		return size;
	step = size * CHANCES_STEPS / mean;
	rest = ((size * CHANCES_STEPS % mean) << CHANCES_SHIFT) / mean;
	if (step >= CHANCES_NR - 1)
		return size;
	low = chances->weights[step];
	slope = chances->weights[step + 1] - low;
	low += (slope >> 8) * rest >> (CHANCES_SHIFT - 8);
	return (low + (1ULL << (CHANCES_SHIFT - 1))) >> CHANCES_SHIFT;
}

#endif
