// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tracepoints: each hit that meets the event's conditions is a sample.
 *
 *   on_tracepoint     user stacks along frame pointers
 *   on_tp_unwind      user stacks by unwind tables, if there are any
 *
 * While a program of a tracepoint or of a perf event runs on a CPU, the kernel runs no other one
 * there: trace_call_bpf (kernel/trace/bpf_trace.c) and bpf_overflow_handler (kernel/events/core.c)
 * raise the same counter, bpf_prog_active, from 4.7 to 6.18 at least. So these programs share
 * scratch memory. From 6.7 on (dd8657894c11) the kernel counts the hits that it drops.
 *
 * The programs return 1: after 0 other users of perf events would not see the hit.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "account/grace.bpf.h"
#include "probes/hits.bpf.h"
#include "sample/sample.bpf.h"

#define SEE_HIT 1

/*
 * Where fields cannot be read, user space has refused events that ask for them: see
 * asks_for_fields.
 */
static __always_inline bool read_number(const void *record, struct record_field field, __u64 *bits)
{
	__u32 size = field.size;
	__u64 bytes[2] = {}; /* the verifier assumes that 15 bytes may be read */

	/* keeps clang from hiding from the verifier that size is bounded */
	asm volatile("" : "+r"(size));
	if (!cfg_reads_kernel || bpf_probe_read_kernel(bytes, size & 15, record + field.offset))
		return false;
	*bits = bytes[0];
	return true;
}

static __always_inline int sample_hit(void *record, bool with_tables)
{
	__u32 number = event_number(record), generation;
	struct sample_event event = {
		.program = record,
		.interrupted = NULL, /* tracepoints are hit in kernel mode */
		.number = number,
		.context = CONTEXT_PERF_EVENT,
		.is_counted = true,
		.with_records = true,
		.with_tables = with_tables,
	};
	struct passage *passage = passage__enter(&passages, &session.generation, &generation);

	if (!passage)
		return SEE_HIT;
	event.is_excluded = !fulfils(record, number);
	event.weight = weigh(record, number);
	take_sample_in(&event, generation);
	passage__leave(passage, generation);
	return SEE_HIT;
}

SEC("tracepoint")
int on_tracepoint(void *record)
{
	return sample_hit(record, false);
}

/* Requires what on_cpu_unwind requires; not loaded without. */
SEC("tracepoint")
int on_tp_unwind(void *record)
{
	return sample_hit(record, true);
}
