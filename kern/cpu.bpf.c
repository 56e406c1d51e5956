// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPU time: a perf event on each CPU, whose timer is due once a period.
 *
 *   on_cpu_sample     user stacks along frame pointers
 *   on_cpu_unwind     user stacks by unwind tables, if there are any; hands interpreters over
 *   on_cpu_follow     as on_cpu_unwind, and follows interpreters
 */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>

#include <bpf/bpf_helpers.h>

#include "sample/sample.bpf.h"

char LICENSE[] SEC("license") = "GPL";

static __always_inline int sample_cpu(struct bpf_perf_event_data *ctx, bool with_tables,
				      enum handing handing)
{
	struct sample_event event = {
		.program = ctx,
		.interrupted = &ctx->regs,
		.weight = ctx->sample_period,
		.number = event_number(ctx),
		.context = CONTEXT_PERF_EVENT,
		.with_tables = with_tables,
		.handing = handing,
		.with_records = true,
		.of_wall = true,
	};

	return take_sample(&event);
}

SEC("perf_event")
int on_cpu_sample(struct bpf_perf_event_data *ctx)
{
	return sample_cpu(ctx, false, HANDS_NOTHING);
}

/* Requires bpf_loop (5.17, e6f2dd0f8067) and bpf_task_pt_regs (5.15); not loaded without. */
SEC("perf_event")
int on_cpu_unwind(struct bpf_perf_event_data *ctx)
{
	return sample_cpu(ctx, true, HANDS_OVER);
}

SEC("perf_event")
int on_cpu_follow(struct bpf_perf_event_data *ctx)
{
	return sample_cpu(ctx, true, TAKES_OVER);
}
