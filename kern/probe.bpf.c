// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes of user programs: each hit that meets the event's conditions is a sample. Registers are
 * the program's at the probe; at a uretprobe, those after the return.
 *
 *   on_probe            user stacks along frame pointers
 *   on_probe_unwind     user stacks by unwind tables, if there are any
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "probes/hits.bpf.h"
#include "probes/probes.bpf.h"

static __always_inline bool read_number(const void *record, struct record_field field, __u64 *bits)
{
	*bits = read_register(record, field.offset);
	return true;
}

static __always_inline int sample_probe(bpf_user_pt_regs_t *registers, bool with_tables)
{
	__u64 cookie = bpf_get_attach_cookie(registers);
	struct sample_event event = {
		.program = registers,
		.interrupted = registers,
		.number = PROBE_COOKIE_EVENT(cookie),
		.context = CONTEXT_PROBE,
		.is_counted = true,
		.with_tables = with_tables,
	};
	struct passage *passage;
	__u32 generation;

	if (event.number >= cfg_nr_events || !is_meant(PROBE_COOKIE_PID(cookie)))
		return 0;
	passage = passage__enter(&passages, &session.generation, &generation);
	if (!passage)
		return 0;
	if (is_alone(passage)) {
		event.is_excluded = !fulfils(registers, event.number);
		event.weight = weigh(registers, event.number);
		sample_once(&event, generation);
	} else {
		give_way(&event, generation);
	}
	passage__leave(passage, generation);
	return 0;
}

SEC("uprobe")
int on_probe(bpf_user_pt_regs_t *registers)
{
	keep_stack_of_task();
	return sample_probe(registers, false);
}

/* Requires what on_cpu_unwind requires; not loaded without. */
SEC("uprobe")
int on_probe_unwind(bpf_user_pt_regs_t *registers)
{
	keep_stack_of_task();
	return sample_probe(registers, true);
}
