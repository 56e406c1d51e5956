/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This is the part that all baselines have in common in the kernel: the filter by process and an
 * account of what they saw, so that none of them is measured while doing less than it says.
 */
#ifndef BENCH_COMMON_BPF_H
#define BENCH_COMMON_BPF_H

/* clang-format off: these two define the types that the others need. */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
/* clang-format on */
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "records.h"

const volatile bool cfg_by_pid;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u8);
} pids SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, ACCOUNTS);
	__type(key, __u32);
	__type(value, __u64);
} account SEC(".maps");

static __always_inline void tick(__u32 slot)
{
	__u64 *value = bpf_map_lookup_elem(&account, &slot);

	if (value)
		++*value;
}

/* True if this process is sampled. The idle task, which has the id 0, never is. */
static __always_inline bool is_wanted(__u32 pid)
{
	if (pid == 0)
		return false;
	return !cfg_by_pid || bpf_map_lookup_elem(&pids, &pid);
}

char LICENSE[] SEC("license") = "GPL";

#endif
