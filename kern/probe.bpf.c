// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe of a program is hit: each hit that fulfils the event's conditions is a sample. Registers are the
 * program's, where the probe is; of one of returns, where the function has returned to.
 *
 *   on_probe            user stacks along frame pointers
 *   on_probe_unwind     user stacks by unwind tables where there are any
 *
 * A probe has a perf event for each process, and all of them that a process's memory has run the program:
 * of a child that still shares its parent's (vfork) the events of both. So an event's cookie says whose it is.
 *
 * From 6.0 on (8c7dcb84e3b7) these programs run where they may be preempted, and by others of their kind: one
 * that finds another at work on its CPU gives way.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "grace.bpf.h"
#include "hits.bpf.h"
#include "sample.bpf.h"

static __always_inline bool is_meant(__u32 pid)
{
	struct task_struct *task = (void *)bpf_get_current_task();

	if (!pid) /* everybody is */
		return true;
	if (!session.pid_level)
		return bpf_get_current_pid_tgid() >> 32 == pid;
	return pid_in_our_namespace(BPF_CORE_READ(task, group_leader)) == pid;
}

/* Nobody else is between entering and leaving on this CPU; who interrupts us does not stay. */
static __always_inline bool is_alone(const volatile struct passage *passage)
{
	return passage->entered[0] + passage->entered[1] - passage->left[0] - passage->left[1] == 1;
}

static __always_inline void give_way(const struct sample_event *event, __u32 generation)
{
	__u32 row = ledger_row(generation, event->number, cfg_nr_events, cfg_nr_cpus,
			       bpf_get_smp_processor_id());
	struct ledger_cpu *ledger_cpu = bpf_map_lookup_elem(&ledger, &row);

	if (ledger_cpu)
		__sync_fetch_and_add(&ledger_cpu->slots[SLOT_EXCLUDED], 1);
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
	return sample_probe(registers, false);
}

/* Needs what on_cpu_unwind does: not loaded without. */
SEC("uprobe")
int on_probe_unwind(bpf_user_pt_regs_t *registers)
{
	return sample_probe(registers, true);
}
