// SPDX-License-Identifier: GPL-2.0-only
/*
 * A tracepoint is hit: each hit that fulfils the event's conditions is a sample.
 *
 *   on_tracepoint     user stacks along frame pointers
 *   on_tp_unwind      user stacks by unwind tables where there are any
 *
 * The kernel keeps programs of tracepoints and of perf events out while one of either runs on the CPU:
 * trace_call_bpf (kernel/trace/bpf_trace.c) and bpf_overflow_handler (kernel/events/core.c) raise the same
 * counter, bpf_prog_active, from 4.7 to 6.18 at least. So they share scratch memory. What is kept out the
 * kernel counts from 6.7 on (dd8657894c11).
 *
 * The programs return 1: at 0 other users of perf events would not see the hit.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "account/grace.bpf.h"
#include "probes/hits.bpf.h"
#include "sample/sample.bpf.h"

#define SEE_HIT 1

/* User space refuses events that ask for fields where they cannot be read: see asks_for_fields. */
static __always_inline bool read_number(const void *record, struct record_field field, __u64 *bits)
{
	__u32 size = field.size;
	__u64 bytes[2] = {}; /* as much as the verifier allows for */

	asm volatile("" : "+r"(size)); /* else clang would hide from it that size is bounded */
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
		.interrupted = NULL, /* it is the kernel that hits tracepoints */
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

/* Needs what on_cpu_unwind does: not loaded without. */
SEC("tracepoint")
int on_tp_unwind(void *record)
{
	return sample_hit(record, true);
}
