/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Quotas of CPU time: how much of a wait for a CPU is due to one.
 *
 * From Linux 6.18 on (e1fad12dcb66) a thread whose group has used up its quota leaves its CPU as it would return to
 * its program, and says so. Before, the queue of the group on that CPU is taken out as a whole, with all that wait in
 * it. From 6.6 on a queue says how long it was throttled; before, only whether it is.
 */
#ifndef TOPSTACKS_KERN_WAITS_THROTTLED_BPF_H
#define TOPSTACKS_KERN_WAITS_THROTTLED_BPF_H

#include <stdbool.h>

#include "maps/reads.bpf.h"
#include "topstacks/abi.h"

#define LEAST_FAIR_PRIO 100

#define TASK_SAYS_THROTTLED bpf_core_field_exists(struct task_struct, throttled)
#define QUEUE_HAS_CLOCK	    bpf_core_field_exists(struct cfs_rq, throttled_clock_self_time)

/* No field's place is reckoned before it is known to be there: the compiler may not move that up. */
#define STAY_BEHIND_CHECK(task) asm volatile("" : "+r"(task))

/* Whether a quota keeps a task off its CPU that could run, or is about to leave it. A kernel without quotas has none of the fields. */
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

/* In ns, by the clock of the queue that the task is in. */
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

/* The task's wait for a CPU begins. */
static __always_inline void begin_quota(struct waiting_thread *thread, struct task_struct *task)
{
	if (!QUEUE_HAS_CLOCK)
		return;
	STAY_BEHIND_CHECK(task);
	thread->quota = (__u64)READ(task, se.cfs_rq);
	thread->before_ns = throttled_time(task);
}

/*
 * When its wait for a CPU went over from one for its quota to one for a CPU that others have, by our clock; 0: it has not.
 * was_throttled: as the wait began. A quota that begins in the middle of a wait counts as if it had come first.
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
