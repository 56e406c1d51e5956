/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The grace period of programs that can run anywhere, for which reading the descriptors of perf
 * events does not wait. They count themselves in and out of a generation. After user space has made
 * another generation current, it waits until as many have left as have entered
 * (capture/kernel/grace.c).
 *
 * A program that read the old generation before the change and counts itself in after it sees the
 * change in a second look: both sides write, pass a full barrier, and read what the other one
 * writes.
 */
#ifndef TOPSTACKS_KERN_ACCOUNT_GRACE_BPF_H
#define TOPSTACKS_KERN_ACCOUNT_GRACE_BPF_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "topstacks/abi.h"

#define MAX_ENTRIES 4 /* tries; the generation changes once in many milliseconds */

/*
 * Enters the generation that current names, until passage__leave. passages: the map. NULL: the CPU
 * is closed, or the generation changed at each try, which cannot happen.
 */
static __always_inline struct passage *passage__enter(void *passages, const volatile __u32 *current,
						      __u32 *generation)
{
	__u32 cpu = bpf_get_smp_processor_id(), now = *current & 1, i;
	struct passage *passage = bpf_map_lookup_elem(passages, &cpu);

	if (!passage || passage->is_closed)
		return NULL;
	for (i = 0; i < MAX_ENTRIES; i++) {
		__sync_fetch_and_add(&passage->entered[now], 1);
		*generation = now;
		if ((*current & 1) == now)
			return passage;
		__sync_fetch_and_add(&passage->left[now], 1);
		now ^= 1;
	}
	return NULL;
}

static __always_inline void passage__leave(struct passage *passage, __u32 generation)
{
	__sync_fetch_and_add(&passage->left[generation & 1], 1);
}

#endif
