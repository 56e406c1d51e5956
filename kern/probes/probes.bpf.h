/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs at probes of programs. A probe has a perf event for each process, and all of them that a process's memory
 * has run the program: of a child that still shares its parent's (vfork) the events of both. So an event's cookie
 * says whose it is.
 *
 * From 6.0 on (8c7dcb84e3b7) these programs run where they may be preempted, and by others of their kind: one
 * that finds another at work on its CPU gives way. From 6.13 on (a76ab5731e32; 6.17 on aarch64) the kernel nevertheless
 * gives their frames of 64 bytes and more one place for each CPU, a private stack, as if none could be at work there
 * twice. Each program here has the stack of its task instead: see keep_stack_of_task().
 */
#ifndef TOPSTACKS_KERN_PROBES_PROBES_BPF_H
#define TOPSTACKS_KERN_PROBES_PROBES_BPF_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "account/grace.bpf.h"
#include "sample/sample.bpf.h"

/*
 * Each program of a probe has it. A program with a tail call has no private stack in any of its functions
 * (check_max_stack_depth, kernel/bpf/verifier.c). The kernel looks for one before it removes what is never reached, so
 * this one costs nothing, needs no map, and is seen by no compiler to machine code.
 */
static __always_inline void keep_stack_of_task(void)
{
	if (cfg_never)
		asm volatile("call %[tail_call]" ::[tail_call] "i"(BPF_FUNC_tail_call)
			     : "r0", "r1", "r2", "r3", "r4", "r5", "memory");
}

static __always_inline bool is_meant(__u32 pid)
{
	struct task_struct *task = current_task();

	if (!pid) /* everybody is */
		return true;
	if (!session.pid_level)
		return bpf_get_current_pid_tgid() >> 32 == pid;
	return pid_in_our_namespace(READ(task, group_leader)) == pid;
}

/*
 * The register of a probe whose place is known only when the program is loaded: the verifier allows no other way to
 * find it than by asking for one after the other.
 */
static __noinline __u64 read_register(const bpf_user_pt_regs_t *registers, __u32 offset)
{
	const __u64 *words = (const void *)registers;
	__u64 value = 0;
	__u32 i;

#pragma unroll
	for (i = 0; i < sizeof(*registers) / sizeof(*words); i++) {
		if (offset != i * sizeof(*words))
			continue;
		value = words[i];
		asm volatile(
			""
			: "+r"(value)); /* else clang would load from a place that it has computed */
	}
	return value;
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
		__sync_fetch_and_add(&ledger_cpu->slots[SLOT_EXCLUDED], number_of(event));
}

#endif
