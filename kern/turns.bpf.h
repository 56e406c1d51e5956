/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Of what is counted, one in N is a sample. The sample stands for all hits since the last one on its CPU,
 * itself included, so that none is forgotten or told twice, whenever N changes.
 */
#ifndef TOPSTACKS_TURNS_H
#define TOPSTACKS_TURNS_H

#include <linux/types.h>

/*
 * gathered: hits since the last sample, of an event on this CPU. For how many a sample stands that is taken
 * now; 0: it is not its turn.
 */
static inline __attribute__((always_inline)) __u64 take_turn(__u64 *gathered, __u64 one_in)
{
	__u64 hits = *gathered + 1;

	*gathered = hits < one_in ? hits : 0;
	return hits < one_in ? 0 : hits;
}

#endif
