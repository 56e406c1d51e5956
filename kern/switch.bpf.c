// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context switches: each time that a thread leaves a CPU is a sample.
 *
 *   on_switch          user stacks along frame pointers
 *   on_switch_walk     user stacks by unwind tables where there are any
 *
 * The tracepoint is hit right before perf counts the switch, and the thread that leaves is still the running one.
 * A program of perf's event would be kept out as long as a thread that was preempted in a bpf() call has not come
 * back to the CPU (bpf_prog_active); programs of a raw tracepoint exclude none but themselves. Interrupts are
 * off, so a timer's program runs after these, and loses no sample by them.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "grace.bpf.h"
#include "sample.bpf.h"

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

/* Needs what on_cpu_unwind does: not loaded without. */
SEC("tp_btf/sched_switch")
int on_switch_walk(__u64 *ctx)
{
	return sample_switch(ctx, true);
}
