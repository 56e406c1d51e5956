/* SPDX-License-Identifier: GPL-2.0-only */
/* Is this task wanted? The same answer for every event source. */
#ifndef TOPSTACKS_FILTER_H
#define TOPSTACKS_FILTER_H

#include <bpf/bpf_core_read.h>

#include "kernel_types.bpf.h"
#include "maps.bpf.h"

/*
 * The entry of a task in the targets map, if it is the process (or thread) meant and not one that
 * got its id later.
 */
static __always_inline struct target *find_target(struct task_struct *task)
{
	bool by_thread = cfg_filter == FILTER_THREAD;
	struct task_struct *owner = by_thread ? task : BPF_CORE_READ(task, group_leader);
	__u32 id = by_thread ? BPF_CORE_READ(task, pid) : BPF_CORE_READ(task, tgid);
	struct target *target = bpf_map_lookup_elem(&targets, &id);

	if (!target || target->start_ns != BPF_CORE_READ(owner, start_boottime))
		return NULL;
	return target;
}

/* Of the running task: most samples are of others, and end at one lookup by the id at hand. */
static __always_inline bool is_wanted(struct task_struct *task)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	__u32 id = cfg_filter == FILTER_THREAD ? (__u32)pid_tgid : pid_tgid >> 32;
	struct target *target;

	if (cfg_filter == FILTER_NONE)
		return true;
	if (!bpf_map_lookup_elem(&targets, &id))
		return false;
	target = find_target(task);
	return target && BPF_CORE_READ(task, group_leader, self_exec_id) >= target->min_exec_id;
}

#endif
