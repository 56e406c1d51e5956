/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides which blocks of a thread are samples: each allocated byte is hit with the chance 1 /
 * mean, and a block is a sample if one of its bytes is hit. Empty blocks never are.
 *
 * A block of size S is a sample with chance p = 1 - exp(-S / mean), so it stands for 1 / p such
 * blocks, of S / p bytes. Sums of these are right on average, for blocks of any size. With a mean
 * of 1 every block is a sample, and stands for itself.
 */
#ifndef TOPSTACKS_PRELOAD_GAPS_H
#define TOPSTACKS_PRELOAD_GAPS_H

#include <stdbool.h>
#include <stdint.h>

#define GAPS_DEFAULT_MEAN (512ULL << 10)
#define GAPS_MAX_MEAN	  (1ULL << 40)

/* The state of one thread. A new one is zeroed; its first block goes to gaps__begin(). */
struct gaps {
	uint64_t left;	 /* bytes before the next hit */
	uint64_t gap;	 /* left after the last sample */
	uint64_t random; /* state of chance__next() */
	uint64_t mean;	 /* bytes, from 1 to GAPS_MAX_MEAN; 0: not begun */
};

struct sampled {
	uint64_t weight; /* bytes that the sample stands for */
	uint64_t since;	 /* bytes allocated since the last sample, including this block */
};

/*
 * Accounts for a block: one subtraction for most. False: left has wrapped, as a byte of the block
 * may be hit; call gaps__take() or gaps__give_back() with the same size.
 */
static inline bool gaps__pass(struct gaps *gaps, uint64_t size)
{
	return !__builtin_sub_overflow(gaps->left, size, &gaps->left);
}

/* Takes back the accounting of a block that could not be allocated. */
static inline void gaps__give_back(struct gaps *gaps, uint64_t size)
{
	gaps->left += size;
}

/* Whether nothing was accounted for since the copy was made. */
static inline bool gaps__is_as(const struct gaps *gaps, struct gaps copy)
{
	return gaps->left == copy.left && gaps->random == copy.random;
}

/* Begins anew with gaps of this mean; different seeds give different gaps. */
void gaps__begin(struct gaps *gaps, uint64_t mean, uint64_t seed);

/* Makes a sample of the block. */
void gaps__take(struct gaps *gaps, uint64_t size, struct sampled *sampled);

#endif
