/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Of what is counted, one in N is a sample, by chance: programs that do a few things by turns would else be seen at
 * the same one each time. From one sample to the next are 1 to 2N - 1 hits, all equally likely. The sample stands for all hits since the last one on its CPU,
 * itself included, and weighs what they weigh together: whatever N is, and whenever it changes, none is
 * forgotten or told twice, and hits that weigh differently are not taken for each other.
 */
#ifndef TOPSTACKS_TURNS_H
#define TOPSTACKS_TURNS_H

#include <linux/types.h>
#include <stdbool.h>

#include "weights.bpf.h"

/* Since the last sample, of an event on a CPU. */
struct gathered {
	__u64 hits;
	__u64 weight;
	__u64 chance; /* 32 random bits, drawn at that sample; 0: N hits */
};

/* How many hits the next sample stands for, if one in one_in is one. */
static inline __attribute__((always_inline)) __u64 hits_to_gather(const struct gathered *since,
								  __u64 one_in)
{
	return 1 + (((since->chance ^ 0x80000000) * (2 * one_in - 1)) >> 32);
}

/*
 * Adds a hit that weighs *weight. Whether it is a sample: then *weight is that of all that it stands for.
 */
static inline __attribute__((always_inline)) bool take_turn(struct gathered *since, __u64 one_in,
							    __u64 *weight)
{
	since->hits++;
	since->weight += weights__that_fits(since->weight, *weight);
	if (one_in > 1 && since->hits < hits_to_gather(since, one_in))
		return false;
	*weight = since->weight;
	since->hits = 0;
	since->weight = 0;
	return true;
}

#endif
