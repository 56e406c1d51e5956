/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shares of a set. An event that has used up its own share goes on with the common share, and then
 * stops, so that others keep theirs. CPUs that take a key at the same time may each exceed a share
 * by one.
 */
#ifndef TOPSTACKS_KERN_ACCOUNT_SHARES_BPF_H
#define TOPSTACKS_KERN_ACCOUNT_SHARES_BPF_H

#include "topstacks/abi.h"

static inline __attribute__((always_inline)) int shares__have_room(const struct shares *shares,
								   __u32 event)
{
	return shares->nr_keys[event % ABI_MAX_EVENTS] < shares->own ||
	       shares->nr_common < shares->common;
}

/* Notes that the event has one more key. */
static inline __attribute__((always_inline)) void shares__take(struct shares *shares, __u32 event)
{
	__u64 *nr_keys = &shares->nr_keys[event % ABI_MAX_EVENTS];

	if (*nr_keys >= shares->own)
		__sync_fetch_and_add(&shares->nr_common, 1);
	__sync_fetch_and_add(nr_keys, 1);
}

#endif
