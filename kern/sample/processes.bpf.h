/* SPDX-License-Identifier: GPL-2.0-only */
/* The process of a sample: the instance in its key, and the record that describes it. */
#ifndef TOPSTACKS_KERN_SAMPLE_PROCESSES_BPF_H
#define TOPSTACKS_KERN_SAMPLE_PROCESSES_BPF_H

#include <bpf/bpf_core_read.h>
#include <stdbool.h>

#include "maps/maps.bpf.h"
#include "maps/reads.bpf.h"
#include "maps/store.bpf.h"
#include "sample/filter.bpf.h"
#include "topstacks/hash.h"

/*
 * Returns the id of a task at a namespace level. The array grows with the level: elements behind
 * the first one have no type, and are zeros where they cannot be read.
 */
static __always_inline struct upid pid_at_level(struct pid *pid, __u32 level)
{
	struct upid *numbers = (void *)pid + bpf_core_field_offset(pid->numbers);
	struct upid found = {};

	if (cfg_reads_kernel) {
		bpf_core_read(&found, sizeof(found), (void *)numbers + level * sizeof(struct upid));
	} else if (!level) {
		found.nr = READ(pid, numbers[0].nr);
		found.namespace = READ(pid, numbers[0].namespace);
	}
	return found;
}

/* Notes our pid namespace. self is our own task, in whose context the calling iterator runs. */
static __always_inline void note_our_namespace(struct task_struct *self)
{
	struct pid *pid = FOLLOW(self, thread_pid);

	session.pid_level = FOLLOW(pid, level);
	session.pid_namespace = (__u64)pid_at_level(pid, session.pid_level).namespace;
}

/*
 * Returns the id of a task in our pid namespace; 0: it is not visible there, as another namespace
 * may be as deep as ours.
 */
static __always_inline __u32 pid_in_our_namespace(struct task_struct *task)
{
	struct pid *pid = FOLLOW(task, thread_pid);
	__u32 level = session.pid_level;
	struct upid found;

	if (!pid || FOLLOW(pid, level) < level)
		return 0;
	found = pid_at_level(pid, level);
	return (__u64)found.namespace == session.pid_namespace ? found.nr : 0;
}

/* Returns the id of a task in its own pid namespace. */
static __always_inline __u32 pid_in_own_namespace(struct task_struct *task)
{
	struct pid *pid = FOLLOW(task, thread_pid);

	return pid ? pid_at_level(pid, FOLLOW(pid, level)).nr : 0;
}

static __always_inline bool is_in_exec(struct task_struct *task)
{
	return bpf_core_field_exists(task->in_execve) && READ_BITS(task, in_execve);
}

enum record_news { RECORD_IMPOSSIBLE, RECORD_OLD, RECORD_NEW, RECORD_RENAMED };

/*
 * Builds the record of a thread's process, or of the thread if *check is its tid, in the context's
 * buffer, unless it is known. A new process has its first program's name until it changes it, so
 * *check becomes a hash of the name. Has a stack frame of its own: a walk by tables fills the 512
 * bytes that 6.1 allows.
 */
static __noinline enum record_news make_record(const struct current_set *set,
					       struct task_struct *thread,
					       const struct running *running, __u64 instance,
					       __u64 *check)
{
	struct process_record *record = bpf_map_lookup_elem(&record_buffer, &set->context);
	void *known_map = bpf_map_lookup_elem(&known, &set->generation);
	const __u64 key = KNOWN_PROCESS(instance), *known_check;
	const __u32 tid = *check;
	struct task_struct *task = tid ? thread : FOLLOW(thread, group_leader);
	union task_name name;

	if (!known_map || !record)
		return RECORD_IMPOSSIBLE;
	name = read_name(task);
	__builtin_memcpy(record->comm, name.text, sizeof(record->comm));
	*check = hash_word(hash_word(HASH_SEED, name.words[0]), name.words[1]);
	known_check = bpf_map_lookup_elem(known_map, &key);
	if (known_check &&
	    (*known_check == *check ||
	     is_in_exec(thread))) /* in an exec the new name is set before the exec id */
		return RECORD_OLD;
	record->instance = instance;
	record->start_ns = running->start_ns;
	record->exec_id = running->exec_id;
	record->seen_ns = bpf_ktime_get_ns();
	record->tgid = running->tgid;
	record->tid = tid;
	record->owner = cfg_tells_owners ? (__u32)running->owner : ABI_OWNER_UNKNOWN;
	record->is_gone = cfg_tells_owners && running->owner >> 32;
	/* as bpf_get_current_cgroup_id() has it for the running task */
	record->cgroup = FOLLOW(thread, cgroups, dfl_cgrp, kn, id);
	record->ns_tgid = pid_in_our_namespace(task);
	record->own_tgid = pid_in_own_namespace(task);
	record->kernel_thread = (FOLLOW(task, flags) & PF_KTHREAD) != 0;
	return known_check ? RECORD_RENAMED : RECORD_NEW;
}

/* Logs the record of a thread (tid) or of its process (tid 0). Returns true if the log has it. */
static __always_inline bool record_task(const struct current_set *set, struct task_struct *thread,
					const struct running *running, __u64 instance, __u32 tid)
{
	__u64 check = tid, where = STORE_IN(set) | STORE_KIND(LOG_PROCESS) |
				   STORE_WORDS(sizeof(struct process_record));
	const enum record_news news = make_record(set, thread, running, instance, &check);
	long err = -E2BIG;

	if (news == RECORD_OLD)
		return true;
	if (news == RECORD_RENAMED)
		where |= STORE_AGAIN;
	if (news != RECORD_IMPOSSIBLE)
		err = store_record(where, KNOWN_PROCESS(instance), check);
	if (err && err != -EEXIST) {
		set->ledger_cpu->slots[SLOT_PROCESSES_FULL]++;
		return false;
	}
	set->ledger_cpu->slots[SLOT_NEW_PROCESSES] += !err && news == RECORD_NEW;
	return true;
}

/*
 * Returns true if the last record that this CPU logged or found is that of the process, and its
 * name is unchanged.
 */
static __always_inline bool is_recorded(struct ledger_cpu *ledger_cpu, __u64 instance,
					struct task_struct *leader)
{
	const union task_name name = read_name(leader);
	bool is_same;

	is_same = ledger_cpu->recorded == instance &&
		  ledger_cpu->recorded_name[0] == name.words[0] &&
		  ledger_cpu->recorded_name[1] == name.words[1];
	ledger_cpu->recorded_name[0] = name.words[0];
	ledger_cpu->recorded_name[1] = name.words[1];
	return is_same;
}

/*
 * Logs the owner of a new key. Keys that exist already are counted again and again, under the old
 * name.
 */
static __always_inline void record_owner(const struct current_set *set, struct task_struct *thread,
					 const struct running *running, __u64 instance)
{
	struct ledger_cpu *ledger_cpu = set->ledger_cpu;
	struct task_struct *leader = thread;

	if (running->tid != running->tgid)
		leader = FOLLOW(thread, group_leader);
	if (is_recorded(ledger_cpu, instance, leader) && !cfg_by_thread)
		return;
	ledger_cpu->recorded = 0;
	if (record_task(set, thread, running, instance, 0))
		ledger_cpu->recorded = instance;
	if (cfg_by_thread && running->tid)
		record_task(set, thread, running, hash_thread(instance, running->tid),
			    running->tid);
}

#endif
