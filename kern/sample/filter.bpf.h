/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides if a task is wanted, the same way for every source. Also reads what each sample needs of
 * its task, once, as each read by a helper takes some 30 ns.
 */
#ifndef TOPSTACKS_KERN_SAMPLE_FILTER_BPF_H
#define TOPSTACKS_KERN_SAMPLE_FILTER_BPF_H

#include <bpf/bpf_helpers.h>

#include "maps/maps.bpf.h"
#include "maps/reads.bpf.h"

struct running {
	__u32 tgid, tid;
	__u64 start_ns; /* start of the group leader */
	__u64 exec_id;
	__u64 owner; /* see owner.bpf.h */
};

/* Returns the ids only: most samples of a target need no more. */
static __always_inline struct running find_running(void)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();

	return (struct running){.tgid = pid_tgid >> 32, .tid = (__u32)pid_tgid};
}

/* A global function, so that it is verified once. */
__weak __noinline __u64 start_of_leader(void)
{
	struct task_struct *task = current_task();

	return FOLLOW(task, group_leader, start_boottime);
}

/*
 * Reads the leader of the running task, whose ids are in *running. Most tasks are their own leader.
 * A thread has the leader's exec id: it copies it when it is made, and an exec leaves one thread.
 */
static __always_inline void read_leader(struct running *running)
{
	struct task_struct *task = current_task();

	running->start_ns =
		running->tid == running->tgid ? READ(task, start_boottime) : start_of_leader();
	running->exec_id = READ(task, self_exec_id);
}

/*
 * Returns the entry of a task in the targets map. NULL: there is none, or it belongs to an earlier
 * process (or thread) with the same id.
 */
static __always_inline struct target_entry *find_target(struct task_struct *task)
{
	bool by_thread = cfg_filter == FILTER_THREAD;
	__u32 id = by_thread ? READ(task, pid) : READ(task, tgid);
	struct target_entry *target = bpf_map_lookup_elem(&targets, &id);
	__u64 start_ns;

	if (!target)
		return NULL;
	start_ns =
		by_thread ? READ(task, start_boottime) : FOLLOW(task, group_leader, start_boottime);
	return target->start_ns == start_ns ? target : NULL;
}

/*
 * Returns true if the running task is a target, and reads its leader. Most samples are of other
 * tasks and end after one lookup by id.
 */
static __always_inline bool read_if_wanted(struct running *running)
{
	bool by_thread = cfg_filter == FILTER_THREAD;
	__u32 id = by_thread ? running->tid : running->tgid;
	struct target_entry *target = NULL;
	struct task_struct *task;
	__u64 start_ns;

	if (cfg_filter != FILTER_NONE) {
		target = bpf_map_lookup_elem(&targets, &id);
		if (!target)
			return false;
	}
	task = current_task();
	read_leader(running);
	if (!target)
		return true;
	start_ns = by_thread ? READ(task, start_boottime) : running->start_ns;
	return target->start_ns == start_ns && running->exec_id >= target->min_exec_id;
}

#endif
