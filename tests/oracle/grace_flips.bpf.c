// SPDX-License-Identifier: GPL-2.0-only
/*
 * These programs work for a while, and then look whether their generation was closed meanwhile,
 * which a grace period has to prevent. One counts itself in and out of generations as those of
 * tracepoints do; the other one runs with interrupts off, as those of the scheduler's switches do.
 */
#include <linux/bpf.h>
#include <linux/types.h>

#include <bpf/bpf_helpers.h>

#include "account/grace.bpf.h"
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

static __always_inline void run(__u32 generation)
{
	__sync_fetch_and_add(&flips.nr_runs, 1);
	work();
	if (*(volatile __u32 *)&flips.is_closed[generation & 1])
		__sync_fetch_and_add(&flips.nr_late, 1);
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
	run(generation);
	if (passage)
		passage__leave(passage, generation);
	return 1;
}

SEC("tp_btf/sched_switch")
int on_switch(void *arguments)
{
	(void)arguments;
	run(*(volatile __u32 *)&flips.generation);
	return 0;
}
