// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context switches: each time a thread leaves a CPU is a sample.
 *
 *   on_switch          user stacks along frame pointers
 *   on_switch_walk     user stacks by unwind tables, if there are any
 *
 * The tracepoint is hit right before perf counts the switch; the thread that leaves is still the
 * running one. The kernel would block a program of perf's event while a thread that was preempted
 * in a bpf() call is off the CPU (bpf_prog_active). Programs of a raw tracepoint only block
 * themselves. Interrupts are off, so a timer's program runs after these programs and loses no
 * sample.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "account/grace.bpf.h"
#include "sample/sample.bpf.h"

static __always_inline int sample_switch(__u64 *ctx, bool with_tables)
{
	struct sample_event event = {
		.program = ctx,
		.interrupted = NULL,
		.weight = 1,
		.number = cfg_switch_event,
		.context = CONTEXT_SWITCH,
		.is_counted = true,
		.with_records = true,
		.with_tables = with_tables,
	};
	__u32 generation;
	struct passage *passage = passage__enter(&passages, &session.generation, &generation);

	if (!passage)
		return 0;
	sample_once(&event, generation);
	passage__leave(passage, generation);
	return 0;
}

SEC("tp_btf/sched_switch")
int on_switch(__u64 *ctx)
{
	return sample_switch(ctx, false);
}

/* Requires what on_cpu_unwind requires; not loaded without. */
SEC("tp_btf/sched_switch")
int on_switch_walk(__u64 *ctx)
{
	return sample_switch(ctx, true);
}
