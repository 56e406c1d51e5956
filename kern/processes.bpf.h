/* SPDX-License-Identifier: GPL-2.0-only */
/* Who a sample belongs to: the instance in its key, and the record that explains it. */
#ifndef TOPSTACKS_PROCESSES_H
#define TOPSTACKS_PROCESSES_H

#include <bpf/bpf_core_read.h>
#include <stdbool.h>

#include "filter.bpf.h"
#include "kernel_types.bpf.h"
#include "maps.bpf.h"
#include "topstacks/hash.h"

/* An array that grows with the namespace's depth: its elements are read by hand. */
static __always_inline struct upid pid_at_level(struct pid *pid, __u32 level)
{
	struct upid *numbers = (void *)pid + bpf_core_field_offset(pid->numbers);
	struct upid found = {};

	bpf_core_read(&found, sizeof(found), (void *)numbers + level * sizeof(struct upid));
	return found;
}

/* The iterator that calls this runs in our own context. */
static __always_inline void note_our_namespace(struct task_struct *self)
{
	struct pid *pid = BPF_CORE_READ(self, thread_pid);

	session.pid_level = BPF_CORE_READ(pid, level);
	session.pid_namespace = (__u64)pid_at_level(pid, session.pid_level).namespace;
}

/*
 * The id of a task in our pid namespace; 0 if it cannot be seen from there: another namespace may
 * be as deep as ours.
 */
static __always_inline __u32 pid_in_our_namespace(struct task_struct *task)
{
	struct pid *pid = BPF_CORE_READ(task, thread_pid);
	__u32 level = session.pid_level;
	struct upid found;

	if (!pid || BPF_CORE_READ(pid, level) < level)
		return 0;
	found = pid_at_level(pid, level);
	return (__u64)found.namespace == session.pid_namespace ? found.nr : 0;
}

/* The id that a task has for itself. */
static __always_inline __u32 pid_in_own_namespace(struct task_struct *task)
{
	struct pid *pid = BPF_CORE_READ(task, thread_pid);

	return pid ? pid_at_level(pid, BPF_CORE_READ(pid, level)).nr : 0;
}

static __always_inline bool is_in_exec(struct task_struct *task)
{
	return bpf_core_field_exists(task->in_execve) &&
	       BPF_CORE_READ_BITFIELD_PROBED(task, in_execve);
}

/* A task's name changes: each process is called as its first program until it says otherwise. */
static __always_inline void follow_name(struct process_record *record, struct task_struct *task)
{
	char comm[ABI_COMM_SIZE] __attribute__((aligned(8))) = {};
	__u64 *now = (__u64 *)comm, *then = (__u64 *)record->comm;

	BPF_CORE_READ_STR_INTO(&comm, task, comm);
	if (now[0] == then[0] && now[1] == then[1])
		return;
	then[0] = now[0];
	then[1] = now[1];
	record->fresh = 1;
}

/* Its id as bpf_get_current_cgroup_id() tells it of the running task. */
static __always_inline __u64 cgroup_id(struct task_struct *task)
{
	return BPF_CORE_READ(task, cgroups, dfl_cgrp, kn, id);
}

/*
 * Of a thread's process, or with a tid of itself. With a frame of its own: a walk by tables fills
 * the stack, of which 6.1 has 512 bytes in all. Returns the slot of the ledger that grows;
 * LEDGER_SLOTS: none.
 */
static __noinline __u32 record_task(void *processes_map, struct task_struct *thread,
				    const struct running *running, __u64 instance, __u32 tid)
{
	struct task_struct *task = tid ? thread : BPF_CORE_READ(thread, group_leader);
	struct process_record *known = bpf_map_lookup_elem(processes_map, &instance);
	struct process_record record = {
		.instance = instance,
		.start_ns = running->start_ns,
		.exec_id = running->exec_id,
		.seen_ns = bpf_ktime_get_ns(),
		.tgid = running->tgid,
		.tid = tid,
		.owner = cfg_tells_owners ? (__u32)running->owner : ABI_OWNER_UNKNOWN,
		.is_gone = cfg_tells_owners && running->owner >> 32,
		.fresh = 1,
	};
	long err;

	if (known) {
		if (!is_in_exec(thread)) /* the new program's name comes before its exec id */
			follow_name(known, task);
		return LEDGER_SLOTS;
	}
	record.cgroup = cgroup_id(thread);
	record.ns_tgid = pid_in_our_namespace(task);
	record.own_tgid = pid_in_own_namespace(task);
	record.kernel_thread = (BPF_CORE_READ(task, flags) & PF_KTHREAD) != 0;
	BPF_CORE_READ_STR_INTO(&record.comm, task, comm);
	err = bpf_map_update_elem(processes_map, &instance, &record, BPF_NOEXIST);
	if (err == -EEXIST)
		return LEDGER_SLOTS;
	return err ? SLOT_PROCESSES_FULL : SLOT_NEW_PROCESSES;
}

/* Returns whether there is a record now. */
static __always_inline bool note_record(struct ledger_cpu *ledger_cpu, __u32 slot)
{
	if (slot < LEDGER_SLOTS)
		ledger_cpu->slots[slot]++;
	return slot != SLOT_PROCESSES_FULL;
}

/* Whether the last record that this CPU asked for is that of the process, under the name that it still has. */
static __always_inline bool is_recorded(struct ledger_cpu *ledger_cpu, __u64 instance,
					struct task_struct *leader)
{
	__u64 name[2] = {};
	bool is_same;

	bpf_core_read(name, sizeof(name), &leader->comm);
	is_same = ledger_cpu->recorded == instance && ledger_cpu->recorded_name[0] == name[0] &&
		  ledger_cpu->recorded_name[1] == name[1];
	ledger_cpu->recorded_name[0] = name[0];
	ledger_cpu->recorded_name[1] = name[1];
	return is_same;
}

/*
 * Whose key it is, where the key is new: most keys are counted again and again, under the name that they had.
 */
static __always_inline void record_owner(__u32 generation, struct task_struct *thread,
					 const struct running *running, __u64 instance,
					 struct ledger_cpu *ledger_cpu)
{
	struct task_struct *leader = thread;
	void *processes_map;

	if (running->tid != running->tgid)
		leader = BPF_CORE_READ(thread, group_leader);
	if (is_recorded(ledger_cpu, instance, leader) && !cfg_by_thread)
		return;
	processes_map = bpf_map_lookup_elem(&processes, &generation);
	if (!processes_map) {
		ledger_cpu->slots[SLOT_PROCESSES_FULL]++;
		return;
	}
	ledger_cpu->recorded = 0;
	if (note_record(ledger_cpu, record_task(processes_map, thread, running, instance, 0)))
		ledger_cpu->recorded = instance;
	if (cfg_by_thread && running->tid)
		note_record(ledger_cpu,
			    record_task(processes_map, thread, running,
					hash_thread(instance, running->tid), running->tid));
}

#endif
