// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts how often the timer of one perf event fires while a task runs: what the profiler's program
 * should have run, whatever kept it from running. Independent of it: another event, another map.
 */
#include <linux/bpf.h>
#include <linux/types.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct hrtimer {
	void *function;
};

struct hw_perf_event {
	__u64 sample_period;
	struct hrtimer hrtimer;
};

struct perf_event {
	struct hw_perf_event hw;
};

#pragma clang attribute pop

const volatile __u64 cfg_function = 0; /* perf_swevent_hrtimer */
const volatile __u64 cfg_period_ns = 0;

__u64 fires, idle_fires;

SEC("raw_tp/hrtimer_expire_entry")
int on_expire(struct bpf_raw_tracepoint_args *ctx)
{
	struct hrtimer *timer = (void *)ctx->args[0];
	struct perf_event *event;

	if ((__u64)BPF_CORE_READ(timer, function) != cfg_function)
		return 0;
	event = (void *)timer - bpf_core_field_offset(struct perf_event, hw.hrtimer);
	if (BPF_CORE_READ(event, hw.sample_period) != cfg_period_ns)
		return 0;
	if ((__u32)bpf_get_current_pid_tgid())
		__sync_fetch_and_add(&fires, 1);
	else
		__sync_fetch_and_add(&idle_fires, 1);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
