/* SPDX-License-Identifier: GPL-2.0-only */
/* Dead threads and targets, as the maps that follow processes still have them. */
#ifndef TOPSTACKS_DEAD_H
#define TOPSTACKS_DEAD_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "kernel_types.bpf.h"
#include "maps.bpf.h"

/* Adds what a dying thread ran since its exit; until it is freed, its task can be read. */
static __always_inline void add_dying_time(__u64 id, const struct dying_task *exited)
{
	struct task_struct *task = (struct task_struct *)id;

	if (exited->start_ns == BPF_CORE_READ(task, start_boottime))
		session.living_ns += BPF_CORE_READ(task, se.sum_exec_runtime) - exited->counted_ns;
}

/* A target that neither of the last two passes saw is dead, and its on_free was missed. */
static __always_inline void sweep_target(__u32 pid, const struct target_entry *target)
{
	if (target->pass + 1 < session.pass && !bpf_map_delete_elem(&targets, &pid))
		__sync_fetch_and_add(&session.nr_targets, -1);
}

#endif
