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

#include "grace.bpf.h"
#include "sample.bpf.h"

#define SEE_HIT 1

/* false: it could not be read, which is none of the record's faults. */
static __always_inline bool read_field(const void *record, struct record_field field, __u64 *value)
{
	__u32 size = field.size, unused;
	__u64 bytes[2] = {}, bits; /* as much as the verifier allows for */

	asm volatile("" : "+r"(size)); /* else clang would hide from it that size is bounded */
	size &= 15;
	if (!size || bpf_probe_read_kernel(bytes, size, record + field.offset))
		return false;
	bits = bytes[0];
	unused = 64 - 8 * size;
	bits <<= unused;
	*value = field.is_signed ? (__u64)((__s64)bits >> unused) : bits >> unused;
	return true;
}

/* -1, 0 or 1. */
static __always_inline int compare(__u64 a, __u64 b, bool is_signed)
{
	if (a == b)
		return 0;
	if (is_signed)
		return (__s64)a < (__s64)b ? -1 : 1;
	return a < b ? -1 : 1;
}

static __always_inline bool holds(const struct record_condition *condition, __u64 value)
{
	int order = compare(value, condition->number, condition->field.is_signed);

	switch (condition->op) {
	case RECORD_EQUAL:
		return order == 0;
	case RECORD_NOT_EQUAL:
		return order != 0;
	case RECORD_LESS:
		return order < 0;
	case RECORD_LESS_EQUAL:
		return order <= 0;
	case RECORD_GREATER:
		return order > 0;
	case RECORD_GREATER_EQUAL:
		return order >= 0;
	default:
		return value & condition->number;
	}
}

static __always_inline const struct tracepoint_settings *settings_of(__u32 number)
{
	return (const void *)&cfg_tracepoints[number < ABI_MAX_EVENTS ? number : 0];
}

/*
 * A frame of its own: with that of the walk it would be more than the 512 bytes that programs have. 0: the
 * hit does not count.
 */
static __noinline __u32 fulfils(const void *record, __u32 number)
{
	const struct tracepoint_settings *settings = settings_of(number);
	struct record_condition condition;
	__u64 value;
	__u32 i;

	for (i = 0; i < ABI_MAX_CONDITIONS && i < settings->nr_conditions; i++) {
		condition = settings->conditions[i];
		if (!read_field(record, condition.field, &value) || !holds(&condition, value))
			return 0;
	}
	return 1;
}

/* A number below zero, such as an error in place of a length, weighs nothing. */
static __noinline __u64 weigh(const void *record, __u32 number)
{
	const struct record_field field = settings_of(number)->weight;
	__u64 value = 0;

	if (!field.size)
		return 1;
	if (!read_field(record, field, &value) || (field.is_signed && (__s64)value < 0))
		return 0;
	return value;
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
