// SPDX-License-Identifier: GPL-2.0-only
/*
 * The floor: what no stack profiler can go below. Both stacks are walked into a scratch buffer,
 * and nothing is done with them. It filters and accounts nothing, so it belongs on CPUs that have
 * nothing but the workload to run.
 */
#include "common.bpf.h"

struct scratch {
	__u64 user[MAX_DEPTH];
	__u64 kernel[MAX_DEPTH];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct scratch);
} scratches SEC(".maps");

SEC("perf_event")
int on_floor(struct bpf_perf_event_data *ctx)
{
	__u32 zero = 0;
	struct scratch *scratch = bpf_map_lookup_elem(&scratches, &zero);

	if (!scratch)
		return 0;
	bpf_get_stack(ctx, scratch->user, STACK_SIZE, BPF_F_USER_STACK);
	bpf_get_stack(ctx, scratch->kernel, STACK_SIZE, 0);
	return 0;
}
