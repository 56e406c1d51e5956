/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides which processes are targets when targets are selected by names: of programs, users or
 * cgroups. A process is judged when it executes a program, which is when most become what they are,
 * and whenever the CPU time of targets is summed up. In between, its entry in the targets map holds
 * for samples and for the account of CPU time alike, so both are always about the same processes.
 */
#ifndef TOPSTACKS_KERN_SAMPLE_JUDGE_BPF_H
#define TOPSTACKS_KERN_SAMPLE_JUDGE_BPF_H

#include <bpf/bpf_helpers.h>
#include <linux/errno.h>

#include "maps/maps.bpf.h"
#include "maps/reads.bpf.h"
#include "sample/filter.bpf.h"

/* ---- kinds of a process ---- */

static __always_inline __u32 judge_comm(struct task_struct *leader)
{
	struct comm_pattern *pattern;
	const union task_name name = read_name(leader);
	__u32 i;

	for (i = 0; i < ABI_MAX_NAMES && i < cfg_nr_comms; i++) {
		const __u32 key = i;

		pattern = bpf_map_lookup_elem(&wanted_comms, &key);
		if (pattern && comm_pattern__matches(pattern, name.text))
			return KIND_COMM;
	}
	return 0;
}

static __always_inline __u32 judge_user(struct task_struct *leader)
{
	const __u32 user = FOLLOW(leader, real_cred, euid.val);

	return bpf_map_lookup_elem(&wanted_users, &user) ? KIND_USER : 0;
}

/* Looks up its cgroup and all ancestors of that. */
static __always_inline __u32 judge_cgroups(struct task_struct *leader)
{
	struct cgroup *cgroup = FOLLOW(leader, cgroups, dfl_cgrp);
	struct cgroup_subsys_state *parent;
	__u32 kinds = 0, *found, i;
	__u64 id;

	for (i = 0; i < ABI_MAX_CGROUP_DEPTH && cgroup; i++) {
		id = FOLLOW(cgroup, kn, id);
		found = bpf_map_lookup_elem(&wanted_cgroups, &id);
		if (found)
			kinds |= *found;
		parent = FOLLOW(cgroup, self.parent);
		cgroup = parent ? FOLLOW(parent, cgroup) : NULL;
	}
	return kinds;
}

/* Inlined, as a called function is loaded, and its types searched, even if no program calls it. */
static __always_inline __u32 judge_by_name(struct task_struct *leader)
{
	__u32 kinds = 0;

	if (cfg_kinds & KIND_COMM)
		kinds |= judge_comm(leader);
	if (cfg_kinds & KIND_USER)
		kinds |= judge_user(leader);
	if (cfg_kinds & (KIND_CGROUP | KIND_CONTAINER))
		kinds |= judge_cgroups(leader);
	return kinds;
}

/* Returns the kinds that a process keeps when it executes another program. */
static __always_inline __u32 lasting_kinds(void)
{
	return KIND_COMMAND | KIND_ID | (cfg_follow_children ? KIND_COMM : 0);
}

/* Returns KIND_ID for a command that executes its program, which begins then. */
static __always_inline __u32 kinds_by_exec(struct task_struct *task)
{
	struct target_entry *target = find_target(task);

	return target && target->kinds & KIND_COMMAND ? KIND_ID : 0;
}

/* Returns the kinds that a child inherits. */
static __always_inline __u32 inherited_kinds(void)
{
	return cfg_follow_children ? KIND_ID | KINDS_BY_NAME : KINDS_BY_NAME;
}

static __always_inline __u32 kinds_of_family(struct task_struct *leader)
{
	struct task_struct *parent = READ(leader, real_parent, group_leader);
	struct target_entry *of_parent = find_target(parent);

	return of_parent ? of_parent->kinds & lasting_kinds() & inherited_kinds() : 0;
}

/*
 * Returns false if the process can never be a target, as ids were asked for and it is of no such
 * family.
 */
static __always_inline bool may_be_target(__u32 kinds)
{
	return !(cfg_kinds & KIND_ID) || kinds & KIND_ID;
}

/* ---- the entry of a process ---- */

static __always_inline int add_target(__u32 tgid, const struct target_entry *entry)
{
	long err = bpf_map_update_elem(&targets, &tgid, entry, BPF_NOEXIST);

	if (!err)
		__sync_fetch_and_add(&session.nr_targets, 1);
	else if (err == -EEXIST) /* the entry belongs to a process whose end was missed */
		err = bpf_map_update_elem(&targets, &tgid, entry, BPF_ANY);
	if (err)
		__sync_fetch_and_add(&session.children_not_followed, 1);
	return err;
}

static __always_inline __s32 admit(struct task_struct *leader, __u32 kinds, bool is_wanted)
{
	const struct target_entry entry = {
		.start_ns = READ(leader, start_boottime),
		.min_exec_id = is_wanted ? 0 : NEVER_SAMPLED,
		.pass = session.pass,
		.judged = (__u16)session.judgement,
		.kinds = (__u8)kinds,
		.moved = is_wanted,
	};

	if (add_target(READ(leader, tgid), &entry))
		return 0; /* no room; the next judgement will find none either */
	__sync_fetch_and_add(&session.nr_moved, 1);
	return is_wanted;
}

/*
 * Stores the kinds of a process. Returns 1 if it becomes a target, -1 if it ceases to be one, else
 * 0.
 */
static __noinline __s32 judge(struct task_struct *leader, __u32 kinds)
{
	struct target_entry *target = find_target(leader);
	bool is_wanted, was_wanted;

	if (target)
		kinds |= target->kinds & lasting_kinds();
	is_wanted = (kinds & cfg_kinds) == cfg_kinds;
	if (!target)
		return may_be_target(kinds) && (is_wanted || kinds & lasting_kinds())
			       ? admit(leader, kinds, is_wanted)
			       : 0;
	was_wanted = target->min_exec_id != NEVER_SAMPLED;
	if (target->kinds != kinds)
		__sync_fetch_and_add(&session.nr_moved, 1);
	target->kinds = kinds;
	target->judged = (__u16)session.judgement;
	target->moved = is_wanted - was_wanted;
	target->min_exec_id = is_wanted ? 0 : NEVER_SAMPLED;
	return is_wanted - was_wanted;
}

/*
 * Corrects the CPU time of a thread whose process was moved: time from before the process became a
 * target is not the target's; time as a target stays when it ceases to be one.
 */
static __always_inline void count_moved(struct task_struct *task, __s32 moved)
{
	const __u64 ran_ns = READ(task, se.sum_exec_runtime);

	if (moved > 0)
		__sync_fetch_and_add(&session.dead_ns, -ran_ns);
	else if (moved < 0)
		__sync_fetch_and_add(&session.dead_ns, ran_ns);
}

#endif
