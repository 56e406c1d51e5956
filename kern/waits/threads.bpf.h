/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The record of a thread (struct waiting_thread): which threads have one, its begin and its end,
 * and the scheduler's own account of the thread's time.
 *
 * The lifetime of threads is accounted for apart (lived_ns), once at the end of each generation and
 * of each thread. So the ledger has two accounts of the same time, and shows if a piece is missing.
 */
#ifndef TOPSTACKS_KERN_WAITS_THREADS_BPF_H
#define TOPSTACKS_KERN_WAITS_THREADS_BPF_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "maps/maps.bpf.h"
#include "maps/reads.bpf.h"
#include "sample/sample.bpf.h"
#include "waits/moments.bpf.h"
#include "waits/waits_maps.bpf.h"

/*
 * Returns true if the thread gets a record: threads of targets. If everyone is sampled, threads of
 * user programs that our pid namespace shows.
 */
static __always_inline bool is_wanted(struct task_struct *task)
{
	struct target_entry *target;

	if (task->flags &
	    PF_EXITING) /* a leader that has ended, while other threads of its process live */
		return false;
	if (task->flags & PF_KTHREAD && (cfg_filter == FILTER_NONE || !(cfg_kinds & KIND_ID)))
		return false;
	if (cfg_filter == FILTER_NONE)
		return !session.pid_level || pid_in_our_namespace(task);
	target = find_target(task);
	return target && READ(task, group_leader, self_exec_id) >= target->min_exec_id;
}

static __always_inline __u64 process_of(struct task_struct *task)
{
	struct task_struct *leader = READ(task, group_leader);

	return hash_process(READ(task, tgid), READ(leader, start_boottime),
			    READ(leader, self_exec_id));
}

/* Initializes the record, except the thread's state. */
static __always_inline void init_thread(struct waiting_thread *thread, struct task_struct *task,
					__u64 now_ns)
{
	thread->until_ns = thread->lived_ns = thread->since_ns = now_ns;
	thread->waker_ns = thread->turn_ns = thread->left_ns = thread->queue_clock_ns =
		thread->found_ns = 0;
	thread->ran_ns = READ(task, se.sum_exec_runtime);
	thread->delayed_ns = READ(task, sched_info.run_delay);
	thread->key = (struct sample_key){
		.process = process_of(task),
		.tid = cfg_by_thread ? READ(task, pid) : 0,
	};
	thread->quota = thread->before_ns = 0;
	thread->asleep_since_ns = thread->kernel_since_ns = thread->lock = 0;
	thread->stands_for = 1;
	thread->is_exiting = thread->is_seen = 0;
}

/*
 * Accounts for the state in which a thread was found. The scheduler reports a time only when it is
 * over, counted from its begin. Only the part after the thread was found can be compared with our
 * account. For that part our own account is used, up to until_ns.
 */
static __always_inline void account_found(struct waiting_thread *thread, __u32 generation,
					  __u32 cpu, enum ledger_slot slot, __u64 until_ns)
{
	__u64 from_ns = thread->found_ns;

	if (from_ns < session.begin_ns)
		from_ns = session.begin_ns;
	if (session.begin_ns && until_ns > from_ns && generation < NO_GENERATION)
		add_to_slot(generation, cpu, slot, until_ns - from_ns);
}

/* Ends the state in which the thread was found: it leaves its CPU. */
static __always_inline void end_found(struct waiting_thread *thread, struct task_struct *task,
				      const struct moment *moment)
{
	if (!thread->found_ns)
		return;
	if (thread->is_seen) { /* it waited for a CPU, and then ran */
		account_found(thread, moment->generation, moment->cpu, SLOT_DELAYED_NS,
			      thread->since_ns);
	} else {
		account_found(thread, moment->generation, moment->cpu, SLOT_SCHEDULED_NS,
			      moment->now_ns);
		thread->ran_ns = READ(task, se.sum_exec_runtime);
	}
	thread->delayed_ns = READ(task, sched_info.run_delay);
	thread->found_ns = 0;
}

/*
 * Up to the end of an interval the scheduler's account is an estimate, since clocks of several CPUs
 * are in it. Excess time of one interval is left out of the next ones, so none is below 0.
 */
static __always_inline void account_more(__u32 generation, __u32 cpu, enum ledger_slot slot,
					 __u64 *accounted_ns, __u64 ns)
{
	if ((__s64)(ns - *accounted_ns) <= 0)
		return;
	if (generation < NO_GENERATION)
		add_to_slot(generation, cpu, slot, ns - *accounted_ns);
	*accounted_ns = ns;
}

static __always_inline void account_scheduler(__u32 generation, __u32 cpu,
					      struct waiting_thread *thread, __u64 ran_ns,
					      __u64 delayed_ns)
{
	account_more(generation, cpu, SLOT_SCHEDULED_NS, &thread->ran_ns, ran_ns);
	account_more(generation, cpu, SLOT_DELAYED_NS, &thread->delayed_ns, delayed_ns);
}

/* Ends the record: the thread ends now, or is no target any more. */
static __always_inline void end_life(struct waiting_thread *thread, struct task_struct *task,
				     const struct moment *moment)
{
	__u64 from_ns;

	if (take_piece(&thread->lived_ns, moment->now_ns, &from_ns)) {
		charge_time(moment, SLOT_LIVED_NS, from_ns);
		account_scheduler(moment->generation, moment->cpu, thread,
				  READ(task, se.sum_exec_runtime),
				  READ(task, sched_info.run_delay));
	}
	thread->is_known = 0;
	if (thread->is_exiting)
		__sync_fetch_and_add(&session.nr_exiting, -1);
}

#endif
