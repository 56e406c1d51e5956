/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of weights that saturate at the largest value a file can hold, rather than wrap around. */
#ifndef TOPSTACKS_KERN_MAPS_WEIGHTS_BPF_H
#define TOPSTACKS_KERN_MAPS_WEIGHTS_BPF_H

#include "topstacks/abi.h"

/*
 * Returns the part of a weight that fits into a sum. Two CPUs that add at the same moment may
 * exceed the limit once; the 64th bit has room for that.
 */
static inline __attribute__((always_inline)) __u64 weights__that_fits(__u64 sum, __u64 weight)
{
	if (sum <= ABI_MAX_WEIGHT - weight)
		return weight;
	return sum < ABI_MAX_WEIGHT ? ABI_MAX_WEIGHT - sum : 0;
}

#endif
