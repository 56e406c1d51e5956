/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples one in N counted hits, by chance: a program that does a few things in turn would
 * otherwise be sampled at the same one each time. From one sample to the next there are 1 to 2N - 1
 * hits, all equally likely. The sample stands for all hits since the last one on its CPU, itself
 * included, and has the sum of their weights. So whatever N is, and whenever it changes, no weight
 * is lost or counted twice, and hits of different weights are not confused.
 */
#ifndef TOPSTACKS_KERN_MAPS_TURNS_BPF_H
#define TOPSTACKS_KERN_MAPS_TURNS_BPF_H

#include <linux/types.h>
#include <stdbool.h>

#include "maps/weights.bpf.h"

/* Sums since the last sample, for an event on a CPU. */
struct gathered {
	__u64 hits;
	__u64 weight;
	__u64 chance; /* 32 random bits, drawn at that sample; 0: N hits */
};

/* Returns how many hits the next sample stands for, if one in one_in is sampled. */
static inline __attribute__((always_inline)) __u64 hits_to_gather(const struct gathered *since,
								  __u64 one_in)
{
	return 1 + (((since->chance ^ 0x80000000) * (2 * one_in - 1)) >> 32);
}

/*
 * Adds a hit of weight *weight. Returns true if it is a sample; *weight is then that of all hits it
 * stands for.
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
