/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPU quotas: the part of a wait for a CPU that is due to one.
 *
 * From Linux 6.18 on (e1fad12dcb66) a thread whose group has used up its quota leaves its CPU when
 * it would return to its program, and has a flag. Before, the kernel removes the group's whole
 * queue on that CPU, with all waiting threads. From 6.6 on a queue has the time for which it was
 * throttled; before, only whether it is.
 */
#ifndef TOPSTACKS_KERN_WAITS_THROTTLED_BPF_H
#define TOPSTACKS_KERN_WAITS_THROTTLED_BPF_H

#include <stdbool.h>

#include "maps/reads.bpf.h"
#include "topstacks/waits_abi.h"

#define LEAST_FAIR_PRIO 100

#define TASK_SAYS_THROTTLED bpf_core_field_exists(struct task_struct, throttled)
#define QUEUE_HAS_CLOCK	    bpf_core_field_exists(struct cfs_rq, throttled_clock_self_time)

/* Keeps the compiler from computing a field's offset before the check that the field exists. */
#define STAY_BEHIND_CHECK(task) asm volatile("" : "+r"(task))

/*
 * Returns true if a quota keeps a runnable task off its CPU, or makes it leave. A kernel without
 * quotas has none of the fields.
 */
static __always_inline bool is_throttled(struct task_struct *task)
{
	if (TASK_SAYS_THROTTLED) {
		STAY_BEHIND_CHECK(task);
		return READ(task, throttled);
	}
	if (!bpf_core_field_exists(struct cfs_rq, throttle_count))
		return false;
	STAY_BEHIND_CHECK(task);
	return READ(task, prio) >= LEAST_FAIR_PRIO && READ(task, se.cfs_rq, throttle_count) > 0;
}

/* Returns the throttled time in ns, by the clock of the task's queue. */
static __always_inline __u64 throttled_time(struct task_struct *task)
{
	__u64 since_ns, time_ns, now_ns;

	STAY_BEHIND_CHECK(task);
	since_ns = READ(task, se.cfs_rq, throttled_clock_self);
	time_ns = READ(task, se.cfs_rq, throttled_clock_self_time);
	if (!since_ns)
		return time_ns;
	now_ns = READ(task, se.cfs_rq, rq, clock);
	return now_ns > since_ns ? time_ns + (now_ns - since_ns) : time_ns;
}

/* Notes the state of the quota as the task's wait for a CPU begins. */
static __always_inline void begin_quota(struct waiting_thread *thread, struct task_struct *task)
{
	if (!QUEUE_HAS_CLOCK)
		return;
	STAY_BEHIND_CHECK(task);
	thread->quota = (__u64)READ(task, se.cfs_rq);
	thread->before_ns = throttled_time(task);
}

/*
 * Returns when the wait changed from waiting for quota to waiting for a busy CPU, by
 * CLOCK_MONOTONIC; 0: it has not. was_throttled: at the begin of the wait. If the quota is used up
 * in the middle of a wait, that part counts as if it had come first.
 */
static __always_inline __u64 quota_end(const struct waiting_thread *thread,
				       struct task_struct *task, bool was_throttled)
{
	__u64 time_ns;

	if (!QUEUE_HAS_CLOCK || (TASK_SAYS_THROTTLED && !was_throttled) ||
	    thread->quota != (__u64)READ(task, se.cfs_rq) || (was_throttled && is_throttled(task)))
		return 0;
	time_ns = throttled_time(task);
	if (time_ns > thread->before_ns)
		return thread->since_ns + (time_ns - thread->before_ns);
	return was_throttled ? thread->since_ns : 0;
}

#endif
