/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of weights stop at the largest that a file can hold, where others would begin at 0 again. */
#ifndef TOPSTACKS_KERN_MAPS_WEIGHTS_BPF_H
#define TOPSTACKS_KERN_MAPS_WEIGHTS_BPF_H

#include "topstacks/abi.h"

/*
 * How much of a weight still fits into a sum. Two CPUs that add at the same moment may go beyond the largest once,
 * for which there is the 64th bit.
 */
static inline __attribute__((always_inline)) __u64 weights__that_fits(__u64 sum, __u64 weight)
{
	if (sum <= ABI_MAX_WEIGHT - weight)
		return weight;
	return sum < ABI_MAX_WEIGHT ? ABI_MAX_WEIGHT - sum : 0;
}

#endif
