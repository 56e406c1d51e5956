/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which blocks of a thread are samples: each byte that it allocates is hit by chance, one of mean bytes, and a block
 * is a sample if one of its bytes is. Blocks without bytes never are.
 *
 * A block of size S is one with chance p = 1 - exp(-S / mean), so each that is stands for 1 / p such blocks, of S / p
 * bytes. Sums of that are right on average, for blocks of any size. With a mean of 1 every block is a sample, and
 * stands for itself.
 */
#ifndef TOPSTACKS_PRELOAD_GAPS_H
#define TOPSTACKS_PRELOAD_GAPS_H

#include <stdbool.h>
#include <stdint.h>

#define GAPS_DEFAULT_MEAN (512ULL << 10)
#define GAPS_MAX_MEAN	  (1ULL << 40)

/* Of one thread. A new one is all zero, and its first block goes to gaps__begin. */
struct gaps {
	uint64_t left;	 /* bytes before the one that is hit */
	uint64_t gap;	 /* what that was after the last sample */
	uint64_t random; /* state of chance__next() */
	uint64_t mean;	 /* bytes, from 1 to GAPS_MAX_MEAN; 0: it did not begin */
};

struct sampled {
	uint64_t weight; /* bytes that the sample stands for */
	uint64_t since;	 /* bytes allocated since the last sample, this one's among them */
};

/*
 * Accounts for a block: one subtraction for most. False: left has wrapped, as one of its bytes may be hit, and
 * gaps__take() or gaps__give_back() is to be called with the same size.
 */
static inline bool gaps__pass(struct gaps *gaps, uint64_t size)
{
	return !__builtin_sub_overflow(gaps->left, size, &gaps->left);
}

/* The block does not count: it could not be had. */
static inline void gaps__give_back(struct gaps *gaps, uint64_t size)
{
	gaps->left += size;
}

/* Whether nothing was accounted for since the other was copied from it. */
static inline bool gaps__is_as(const struct gaps *gaps, struct gaps copy)
{
	return gaps->left == copy.left && gaps->random == copy.random;
}

/* Anew from here, with gaps of this mean, which differ where seeds do. Nothing is accounted for yet. */
void gaps__begin(struct gaps *gaps, uint64_t mean, uint64_t seed);

/* Makes a sample of the block. */
void gaps__take(struct gaps *gaps, uint64_t size, struct sampled *sampled);

#endif
