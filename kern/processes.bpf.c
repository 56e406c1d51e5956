// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follows processes: which of them are targets, and the CPU time that targets had.
 *
 *   on_fork, on_exit, on_free         keep the targets map and the CPU time of dead targets
 *   on_exec                           the same, if targets are selected by names
 *   on_list_task, on_task_time        iterators over tasks
 *   on_judge_task                     an iterator, if targets are selected by names
 */
#include <linux/bpf.h>
#include <linux/errno.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>

#include "maps/maps.bpf.h"
#include "maps/reads.bpf.h"
#include "sample/filter.bpf.h"
#include "sample/judge.bpf.h"
#include "sample/processes.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* Makes the child of a target a target, before its first instruction. */
SEC("tp_btf/sched_process_fork")
int on_fork(__u64 *ctx)
{
	struct task_struct *parent = (void *)ctx[0], *child = (void *)ctx[1];
	__u32 tgid = READ(child, tgid);
	struct target_entry *of_parent, of_child = {};

	if (READ(parent, tgid) == tgid) /* a new thread: its process is in the map, or not */
		return 0;
	of_parent = find_target(parent);
	if (!of_parent)
		return 0;
	of_child.kinds = of_parent->kinds & inherited_kinds();
	if (!may_be_target(of_child.kinds))
		return 0;
	of_child.start_ns = READ(child, start_boottime);
	/* as if the current pass had met it, which may have gone by */
	of_child.pass = session.pass;
	/* If the parent is a command that has not executed its program yet, so is the child. */
	if (FOLLOW(parent, group_leader, self_exec_id) < of_parent->min_exec_id)
		of_child.min_exec_id = of_parent->min_exec_id;
	add_target(tgid, &of_child);
	return 0;
}

/*
 * Judges a process that executes a program. Its other threads are gone, with the time they had. A
 * process outside our pid namespace is never a target, as in the lists.
 */
SEC("tp_btf/sched_process_exec")
int on_exec(__u64 *ctx)
{
	struct task_struct *task = (void *)ctx[0];

	if (pid_in_our_namespace(task))
		count_moved(task, judge(task, judge_by_name(task) | kinds_by_exec(task)));
	return 0;
}

/*
 * Counts the CPU time of an exiting thread as dead. The scheduler updates the task's time once more
 * after exit, and between release and free the task is in no list. So its time counts as dead from
 * here on, and on_free adds the rest.
 *
 * If an on_free is missed, another task gets the same address; the start time tells them apart.
 */
SEC("tp_btf/sched_process_exit")
int on_exit(__u64 *ctx)
{
	struct task_struct *task = (void *)ctx[0];
	__u64 id = (__u64)task;
	struct target_entry *target = find_target(task);
	struct dying_task exited;

	if (!target || target->min_exec_id == NEVER_SAMPLED)
		return 0;
	exited.start_ns = READ(task, start_boottime);
	exited.counted_ns = READ(task, se.sum_exec_runtime);
	if (bpf_map_update_elem(&dying, &id, &exited, BPF_ANY))
		__sync_fetch_and_add(&session.runtime_untracked, 1);
	else
		__sync_fetch_and_add(&session.dead_ns, exited.counted_ns);
	return 0;
}

static __always_inline struct dying_task *find_dying(struct task_struct *task)
{
	__u64 id = (__u64)task;
	struct dying_task *exited = bpf_map_lookup_elem(&dying, &id);

	if (!exited || exited->start_ns != READ(task, start_boottime))
		return NULL;
	return exited;
}

SEC("tp_btf/sched_process_free")
int on_free(__u64 *ctx)
{
	struct task_struct *task = (void *)ctx[0];
	__u32 pid = READ(task, pid);
	__u64 id = (__u64)task;
	struct dying_task *exited;
	struct target_entry *target;

	exited = find_dying(task);
	if (exited) {
		__sync_fetch_and_add(&session.dead_ns,
				     READ(task, se.sum_exec_runtime) - exited->counted_ns);
		bpf_map_delete_elem(&dying, &id);
	}
	if (cfg_filter == FILTER_PROCESS && READ(task, tgid) != pid)
		return 0;
	/* The id may belong to a new target already. */
	target = bpf_map_lookup_elem(&targets, &pid);
	if (target && target->start_ns == READ(task, start_boottime) &&
	    !bpf_map_delete_elem(&targets, &pid))
		__sync_fetch_and_add(&session.nr_targets, -1);
	return 0;
}

static __always_inline struct task_record describe(struct task_struct *task)
{
	struct task_struct *leader = READ(task, group_leader);
	const union task_name name = read_name(leader);
	struct task_record record = {};

	record.start_ns = READ(task, start_boottime);
	record.exec_id = READ(leader, self_exec_id);
	record.tid = READ(task, pid);
	record.tgid = READ(task, tgid);
	record.ns_tid = pid_in_our_namespace(task);
	record.ns_tgid = pid_in_our_namespace(leader);
	record.parent_tgid = FOLLOW(task, real_parent, tgid);
	__builtin_memcpy(record.comm, name.text, sizeof(record.comm));
	return record;
}

SEC("iter/task")
int on_list_task(struct bpf_iter__task *ctx)
{
	struct task_struct *self = current_task();
	struct task_struct *task = ctx->task;
	struct task_record record;

	if (!task)
		return 0;
	note_our_namespace(self);
	record = describe(task);
	bpf_seq_write(ctx->meta->seq, &record, sizeof(record));
	return 0;
}

static __always_inline void judge_and_list(struct seq_file *seq, struct task_struct *leader)
{
	struct task_record record = describe(leader);
	struct target_entry *target;

	record.kinds = judge_by_name(leader) | kinds_of_family(leader);
	record.user = FOLLOW(leader, real_cred, euid.val);
	judge(leader, record.kinds);
	target = find_target(leader);
	if (target)
		record.kinds |= target->kinds;
	bpf_seq_write(seq, &record, sizeof(record));
}

/*
 * Judges each process at the first of its threads that the iterator shows, not always the leader;
 * each thread's time moves with the process. Before sampling it also lists processes. If a record
 * finds no room, the kernel shows the task again: a second judgement changes nothing, and no time
 * is corrected yet.
 */
SEC("iter/task")
int on_judge_task(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task, *leader;
	struct target_entry *target;

	if (!task)
		return 0;
	leader = READ(task, group_leader);
	if (READ(leader, flags) & PF_EXITING)
		return 0; /* its time is dead already, or belongs to no target */
	if (session.begins) {
		if (task == leader)
			judge_and_list(ctx->meta->seq, leader);
		return 0;
	}
	target = find_target(leader);
	if (target && target->judged == (__u16)session.judgement)
		count_moved(task, target->moved);
	else
		count_moved(task, judge(leader, judge_by_name(leader)));
	return 0;
}

/*
 * Adds the CPU time of living target threads to session.living_ns, and counts the targets in
 * session.nr_seen; user space zeroed both. A thread that has exited but is still listed adds
 * only its time since the exit; the rest is in session.dead_ns.
 */
SEC("iter/task")
int on_task_time(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	const struct dying_task *exited;
	struct target_entry *target;

	if (!task)
		return 0;
	target = find_target(task);
	if (!target)
		return 0;
	session.nr_seen += target->pass != session.pass;
	target->pass = session.pass;
	if (target->min_exec_id == NEVER_SAMPLED)
		return 0;
	exited = find_dying(task);
	session.living_ns += READ(task, se.sum_exec_runtime) - (exited ? exited->counted_ns : 0);
	return 0;
}
