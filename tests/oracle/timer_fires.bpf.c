// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts how often the timer of one perf event fires while a task runs: what the profiler's program
 * should have run, whatever kept it from running. Independent of it: another event, another map.
 *
 * And it looks for what keeps programs of perf events from running: the per-CPU counter that bpf()
 * calls raise (bpf_prog_active), and what the timer interrupted. A raw tracepoint's program runs
 * regardless of either.
 */
#include <linux/bpf.h>
#include <linux/types.h>
#include <stdbool.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "timer_fires.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct hrtimer_cpu_base;

struct hrtimer_clock_base {
	struct hrtimer_cpu_base *cpu_base;
};

struct hrtimer {
	void *function;
	struct hrtimer_clock_base *base;
};

struct hw_perf_event {
	__u64 sample_period;
	struct hrtimer hrtimer;
};

struct perf_event___fires {
	struct hw_perf_event hw;
};

struct pt_regs___x86 {
	unsigned long ip;
};

struct pt_regs___arm64 {
	__u64 pc;
};

#pragma clang attribute pop

const volatile __u64 cfg_function = 0; /* perf_swevent_hrtimer */
const volatile __u64 cfg_period_ns = 0;
const volatile __u64 cfg_text_begin = 0, cfg_text_end = 0; /* of the kernel itself */
/* Variables of this CPU, from hrtimer_bases, which a timer leads to. */
const volatile __s64 cfg_prog_active = 0, cfg_irq_regs = 0;
const volatile bool cfg_looks_around = false; /* they are known */
const volatile __u64 cfg_namespace_device = 0, cfg_namespace_inode = 0;

__u64 fires, idle_fires;
struct told_fires told;

static __always_inline __u64 interrupted_address(const char *cpu_base)
{
	struct pt_regs___arm64 *arm64;
	struct pt_regs___x86 *x86;
	void *regs = NULL;

	bpf_probe_read_kernel(&regs, sizeof(regs), cpu_base + cfg_irq_regs);
	x86 = regs;
	arm64 = regs;
	return bpf_core_field_exists(x86->ip) ? BPF_CORE_READ(x86, ip) : BPF_CORE_READ(arm64, pc);
}

static __always_inline void tell_switched_off(void)
{
	__u32 place = told.nr_switched_off++; /* one event, so one CPU at a time */
	struct bpf_pidns_info own = {};

	bpf_get_ns_current_pid_tgid(cfg_namespace_device, cfg_namespace_inode, &own, sizeof(own));
	if (place < MAX_TOLD)
		told.switched_off[place] = own.tgid;
}

static __always_inline void tell_elsewhere(__u64 address)
{
	__u32 place = told.nr_elsewhere++; /* one event, so one CPU at a time */

	if (place < MAX_TOLD)
		told.elsewhere[place] = address;
}

/* In the upper half, but not in the kernel's own text: modules and BPF programs. */
static __always_inline bool is_elsewhere(__u64 address)
{
	return (__s64)address < 0 && (address < cfg_text_begin || address >= cfg_text_end);
}

static __always_inline void look_around(struct hrtimer *timer)
{
	const char *cpu_base = (const char *)BPF_CORE_READ(timer, base, cpu_base);
	__u64 address = interrupted_address(cpu_base);
	int active = 0;

	bpf_probe_read_kernel(&active, sizeof(active), cpu_base + cfg_prog_active);
	if (active)
		tell_switched_off();
	else if (is_elsewhere(address))
		tell_elsewhere(address);
}

SEC("raw_tp/hrtimer_expire_entry")
int on_expire(struct bpf_raw_tracepoint_args *ctx)
{
	struct hrtimer *timer = (void *)ctx->args[0];
	struct perf_event___fires *event;

	if ((__u64)BPF_CORE_READ(timer, function) != cfg_function)
		return 0;
	event = (void *)timer - bpf_core_field_offset(struct perf_event___fires, hw.hrtimer);
	if (BPF_CORE_READ(event, hw.sample_period) != cfg_period_ns)
		return 0;
	if ((__u32)bpf_get_current_pid_tgid()) {
		__sync_fetch_and_add(&fires, 1);
		if (cfg_looks_around)
			look_around(timer);
	} else {
		__sync_fetch_and_add(&idle_fires, 1);
	}
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
