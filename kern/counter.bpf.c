// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of perf counters: of the kernel, of the processor, and of its PMUs. Registers are those of
 * the interrupted code, or of the kernel function in which the event happened.
 *
 *   on_count_sample     user stacks along frame pointers
 *   on_count_unwind     user stacks by unwind tables, if there are any
 *
 * A page fault's program runs with interrupts on: the read of a descriptor, which settles the
 * timers' programs, may interrupt it. So these programs count themselves in and out of a
 * generation.
 */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>

#include <bpf/bpf_helpers.h>

#include "account/grace.bpf.h"
#include "sample/sample.bpf.h"

static __always_inline int sample_count(struct bpf_perf_event_data *ctx, bool with_tables)
{
	struct sample_event event = {
		.program = ctx,
		.interrupted = &ctx->regs,
		.weight =
			ctx->sample_period, /* the period that has passed, also with a frequency */
		.number = event_number(ctx),
		.context = CONTEXT_PERF_EVENT,
		.is_counted = true,
		.with_records = true,
		.with_tables = with_tables,
	};
	__u32 generation;
	struct passage *passage = passage__enter(&passages, &session.generation, &generation);

	if (!passage)
		return 0;
	take_sample_in(&event, generation);
	passage__leave(passage, generation);
	return 0;
}

SEC("perf_event")
int on_count_sample(struct bpf_perf_event_data *ctx)
{
	return sample_count(ctx, false);
}

/* Requires what on_cpu_unwind requires; not loaded without. */
SEC("perf_event")
int on_count_unwind(struct bpf_perf_event_data *ctx)
{
	return sample_count(ctx, true);
}
