/* SPDX-License-Identifier: GPL-2.0-only */
/* When a wait passes into its second state, and when it ended: the times that the scheduler keeps. */
#ifndef TOPSTACKS_KERN_WAITS_WAKEUPS_BPF_H
#define TOPSTACKS_KERN_WAITS_WAKEUPS_BPF_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "maps/reads.bpf.h"
#include "waits/kinds.bpf.h"
#include "waits/moments.bpf.h"
#include "waits/throttled.bpf.h"

#define QUEUE_TELLS_CLOCK bpf_core_field_exists(struct cfs_rq, rq)

/*
 * Notes at the switch to a thread how far the clock of its run queue is behind ours. Only kernels
 * with groups of tasks lead from a thread to its run queue (cfs_rq.rq).
 */
static __always_inline void read_queue_clock(struct waiting_thread *thread,
					     struct task_struct *task, __u64 now_ns)
{
	if (!QUEUE_TELLS_CLOCK)
		return;
	STAY_BEHIND_CHECK(task);
	thread->queue_clock_ns = now_ns - READ(task, se.cfs_rq, rq, clock);
}

/* Notes it at the switch from a thread, on a kernel without groups of tasks. */
static __always_inline void learn_queue_clock(struct waiting_thread *thread,
					      struct task_struct *task)
{
	if (!QUEUE_TELLS_CLOCK && thread->is_running && thread->is_seen)
		thread->queue_clock_ns = thread->since_ns - task->sched_info.last_arrival;
}

/*
 * A thread waits in the queue of a CPU. One that sleeps may be in one for a while, too, and come to
 * that of another CPU as if it waited (152e11f6df29, 6.12).
 */
static __always_inline bool is_queued(struct task_struct *task)
{
	return LATEST(task->on_rq) && !LATEST(task->__state);
}

/*
 * Returns since when a thread that does not run is in a CPU's queue; 0: it is in none, or the time
 * is unknown. The time is the scheduler's, from which it counts waits for a CPU, too. The
 * tracepoint of a wakeup comes earlier, by the time it takes to tell the other CPU.
 */
static __always_inline __u64 queued_since(const struct waiting_thread *thread,
					  struct task_struct *task)
{
	const __u64 queued = task->sched_info.last_queued;

	return queued && thread->queue_clock_ns && is_queued(task) ? queued + thread->queue_clock_ns
								   : 0;
}

/* Notes clocks at the begin of a wait; the thread has left its CPU. */
static __always_inline void keep_clocks(struct waiting_thread *thread, struct task_struct *task)
{
	if (is_runnable(thread))
		begin_quota(thread, task);
	else
		thread->before_ns = READ(task, sched_info.run_delay);
}

/*
 * Returns since when a thread that was blocked waits for a CPU, or waited if it has arrived there
 * already (arrived_ns; 0: it has not). It may have been in queues of other CPUs before; the
 * scheduler keeps how long, but not since when. For a thread that has arrived, it keeps the whole
 * wait.
 */
static __always_inline __u64 woken_since(const struct waiting_thread *thread,
					 struct task_struct *task, __u64 arrived_ns)
{
	const __u64 queued_ns = arrived_ns ? arrived_ns : queued_since(thread, task);
	const __u64 before_ns = READ(task, sched_info.run_delay) - thread->before_ns;

	return queued_ns > before_ns ? queued_ns - before_ns : queued_ns;
}

/*
 * Returns when the wait passed into its second state, woken or no longer throttled; 0: it has not.
 * arrived_ns: when the thread came to a CPU by a switch that no program saw; 0: it is about to
 * come, or still waits.
 */
static __always_inline __u64 turned_at(const struct waiting_thread *thread,
				       struct task_struct *task, __u64 arrived_ns)
{
	const __u32 state = state_of(thread);

	if (state == WAIT_WOKEN)
		return 0;
	return is_runnable(thread) ? quota_end(thread, task, state == WAIT_THROTTLED)
				   : woken_since(thread, task, arrived_ns);
}

/*
 * Returns when a thread came to a CPU although its record says that it waits; 0: it did not. The
 * kernel hides some switches from tracepoints: those from tasks that it hides altogether.
 */
static __always_inline __u64 missed_arrival(const struct waiting_thread *thread,
					    struct task_struct *task)
{
	const __u64 arrived_ns = task->sched_info.last_arrival + thread->queue_clock_ns;

	return thread->queue_clock_ns && arrived_ns > thread->since_ns ? arrived_ns : 0;
}

#endif
