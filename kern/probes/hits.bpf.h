/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Conditions and weights of hits, computed from numbers in a tracepoint's record or a probe's
 * registers.
 */
#ifndef TOPSTACKS_KERN_PROBES_HITS_BPF_H
#define TOPSTACKS_KERN_PROBES_HITS_BPF_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "maps/maps.bpf.h"

/*
 * Reads the first eight bytes of a field; each program file has its own way. Bytes behind the field
 * are cut off here. False: reading failed.
 */
static bool read_number(const void *record, struct record_field field, __u64 *bits);

static __always_inline bool read_field(const void *record, struct record_field field, __u64 *value)
{
	const __u32 unused = (64 - 8 * field.size) & 63;
	__u64 bits;

	if (!field.size || !read_number(record, field, &bits))
		return false;
	bits <<= unused;
	*value = field.is_signed ? (__u64)((__s64)bits >> unused) : bits >> unused;
	return true;
}

/* Returns -1, 0 or 1. */
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

_Static_assert((ABI_MAX_EVENTS & (ABI_MAX_EVENTS - 1)) == 0, "a mask keeps a number within");

static __always_inline const struct hit_settings *hit_settings_of(__u32 number)
{
	asm volatile(
		""
		: "+r"(number)); /* else clang compares a copy, and the verifier learns no bound */
	return (const void *)&cfg_hits[number & (ABI_MAX_EVENTS - 1)];
}

/*
 * Returns 1 if the hit meets all conditions of the event, else 0. Has a stack frame of its own:
 * together with that of the walk it would exceed the 512 bytes of a program.
 */
static __noinline __u32 fulfils(const void *record, __u32 number)
{
	const struct hit_settings *settings = hit_settings_of(number);
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

/*
 * Returns the weight of a hit. A negative number, such as an error in place of a length, weighs 0;
 * so does a number with the top bit set in a field that is declared unsigned.
 */
static __noinline __u64 weigh(const void *record, __u32 number)
{
	const struct record_field field = hit_settings_of(number)->weight;
	__u64 value = 0;

	if (!field.size)
		return 1;
	if (!read_field(record, field, &value) || (__s64)value < 0)
		return 0;
	return value;
}

#endif
