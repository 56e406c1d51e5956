// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that counts itself in and out of generations as those of tracepoints do, works for a while, and
 * then looks whether its generation was closed meanwhile, which is what a grace period is to prevent.
 */
#include <linux/bpf.h>
#include <linux/types.h>

#include <bpf/bpf_helpers.h>

#include "grace.bpf.h"
#include "grace_flips.h"

char LICENSE[] SEC("license") = "GPL";

#define MAX_CPUS 1024

struct flips flips;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, MAX_CPUS);
	__type(key, __u32);
	__type(value, struct passage);
} passages SEC(".maps");

static __always_inline void work(void)
{
	__u32 i;

	for (i = 0; i < 1000; i++)
		asm volatile("" : : "r"(i));
}

SEC("tracepoint")
int on_hit(void *record)
{
	struct passage *passage;
	__u32 generation = 0;

	(void)record;
	if (flips.is_careless) {
		generation = *(volatile __u32 *)&flips.generation & 1;
		passage = NULL;
	} else {
		passage = passage__enter(&passages, &flips.generation, &generation);
		if (!passage)
			return 1;
	}
	__sync_fetch_and_add(&flips.nr_runs, 1);
	work();
	if (*(volatile __u32 *)&flips.is_closed[generation & 1])
		__sync_fetch_and_add(&flips.nr_late, 1);
	if (passage)
		passage__leave(passage, generation);
	return 1;
}
