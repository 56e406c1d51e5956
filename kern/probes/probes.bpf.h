/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs at user probes. A probe has a perf event for each process, and the kernel runs the
 * program for each event that the process's memory has: for a vfork child that shares its parent's
 * memory, for both events. So an event's cookie names its process.
 *
 * From 6.0 on (8c7dcb84e3b7) these programs can be preempted, also by others of their kind: a
 * program that finds another one running on its CPU gives way. From 6.13 on (a76ab5731e32; 6.17 on
 * aarch64) the kernel nevertheless puts stack frames of 64 bytes and more into one place per CPU, a
 * private stack, as if no two could run there at once. So each program here forces the use of the
 * task's stack: see keep_stack_of_task().
 */
#ifndef TOPSTACKS_KERN_PROBES_PROBES_BPF_H
#define TOPSTACKS_KERN_PROBES_PROBES_BPF_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "account/grace.bpf.h"
#include "sample/sample.bpf.h"

/*
 * Keeps the program on the task's stack; every probe program calls it. A program with a tail call
 * has no private stack in any of its functions (check_max_stack_depth, kernel/bpf/verifier.c). The
 * kernel checks this before it removes unreachable code, so this call costs nothing, needs no map,
 * and is never compiled.
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

	if (!pid) /* the event is for all processes */
		return true;
	if (!session.pid_level)
		return bpf_get_current_pid_tgid() >> 32 == pid;
	return pid_in_our_namespace(READ(task, group_leader)) == pid;
}

/*
 * Returns a register whose offset is known only at load time. The verifier accepts no other way
 * than to compare with each offset.
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
			: "+r"(value)); /* else clang would load from an address that it computes */
	}
	return value;
}

/*
 * Returns true if no other program is between enter and leave on this CPU. A program that
 * interrupts us ends before we go on.
 */
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
