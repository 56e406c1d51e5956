/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Of what is counted, one in N is a sample. The sample stands for all hits since the last one on its CPU,
 * itself included, and weighs what they weigh together: whatever N is, and whenever it changes, none is
 * forgotten or told twice, and hits that weigh differently are not taken for each other.
 */
#ifndef TOPSTACKS_KERN_MAPS_TURNS_BPF_H
#define TOPSTACKS_KERN_MAPS_TURNS_BPF_H

#include <linux/types.h>
#include <stdbool.h>

#include "maps/weights.bpf.h"

/* Since the last sample, of an event on a CPU. */
struct gathered {
	__u64 hits;
	__u64 weight;
};

/*
 * Adds a hit that weighs *weight. Whether it is a sample: then *weight is that of all that it stands for.
 */
static inline __attribute__((always_inline)) bool take_turn(struct gathered *since, __u64 one_in,
							    __u64 *weight)
{
	since->hits++;
	since->weight += weights__that_fits(since->weight, *weight);
	if (since->hits < one_in)
		return false;
	*weight = since->weight;
	since->hits = 0;
	since->weight = 0;
	return true;
}

#endif
