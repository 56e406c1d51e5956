// SPDX-License-Identifier: GPL-2.0-only
/*
 * An iterator over tasks: charges the time of waits that is open when a generation ends.
 *
 *   on_cut            all threads
 *
 * Charges the time of each thread up to the end of the generation, and its lifetime. Threads of
 * targets without a record get one: when sampling begins, or when their process has become a
 * target.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "waits/waits.bpf.h"

char LICENSE[] SEC("license") = "GPL";

#define FOUND_TRIES 4

/* The last row of the ledger belongs to the iterators. */
#define CUT_CPU (cfg_nr_cpus - 1)

/*
 * Scratch for the current thread; there is one pass at a time. It is not on the stack, which has
 * 512 bytes for all functions together.
 */
struct cut_scratch {
	struct waiting_thread copy;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct cut_scratch);
} cut_scratch SEC(".maps");

/* ---- time that is open at the end of the generation ---- */

/* Accounts for a thread that still is in the state in which it was found, or has left it once. */
static __always_inline void account_still_found(__u64 end_ns, __u32 generation,
						struct waiting_thread *thread,
						struct task_struct *task)
{
	if (thread->is_running && thread->is_seen) {
		account_found(thread, generation, CUT_CPU, SLOT_DELAYED_NS, thread->since_ns);
		thread->delayed_ns = READ(task, sched_info.run_delay);
		thread->found_ns = 0;
		return;
	}
	account_found(thread, generation, CUT_CPU,
		      thread->is_running ? SLOT_SCHEDULED_NS : SLOT_DELAYED_NS, end_ns);
	thread->found_ns = end_ns;
}

/*
 * Accounts for the scheduler's times up to end_ns, whose last part the scheduler has not written
 * down yet: of the run at hand, unless it began since then, or of the wait in the current queue,
 * not in the queues before.
 */
static __always_inline void account_scheduler_until(__u64 end_ns, __u32 generation,
						    struct waiting_thread *thread,
						    struct task_struct *task)
{
	__u64 ran_ns = READ(task, se.sum_exec_runtime);
	__u64 delayed_ns = READ(task, sched_info.run_delay);
	const __u64 updated_ns = READ(task, se.exec_start) + thread->clock_ns;
	const __u64 queued_ns = queued_since(thread, task);

	if (thread->found_ns) {
		account_still_found(end_ns, generation, thread, task);
		return;
	}
	if (thread->is_running)
		ran_ns += (thread->since_ns > end_ns ? thread->since_ns : end_ns) - updated_ns;
	else if (queued_ns && queued_ns < end_ns)
		delayed_ns += end_ns - queued_ns;
	account_scheduler(generation, CUT_CPU, thread, ran_ns, delayed_ns);
}

static __always_inline void cut_life(struct waiting_thread *thread, struct task_struct *task,
				     __u64 end_ns, __u32 generation)
{
	__u64 from_ns;

	if (end_ns == session.begin_ns) { /* the time before sampling is not charged */
		account_scheduler_until(end_ns, NO_GENERATION, thread, task);
		return;
	}
	if (!take_piece(&thread->lived_ns, end_ns, &from_ns))
		return;
	add_to_slot(generation, CUT_CPU, SLOT_LIVED_NS, end_ns - from_ns);
	account_scheduler_until(end_ns, generation, thread, task);
}

/*
 * Charges the thread's state up to the end. The record is copied first: if the thread switches in
 * between, its program takes the piece, and the copy is not used.
 */
static __noinline int cut_state(struct waiting_thread *thread, struct task_struct *task,
				__u64 end_ns, __u32 generation)
{
	struct wait_piece piece = {.to_ns = end_ns};
	const __u32 zero = 0;
	struct cut_scratch *scratch = bpf_map_lookup_elem(&cut_scratch, &zero);
	struct waiting_thread *copy;
	__u64 running_ns; /* since when the thread runs */

	if (!scratch || LATEST(thread->until_ns) >= end_ns)
		return 0;
	copy = &scratch->copy;
	/* nothing is charged in these cases */
	if (!thread->is_running && end_ns != session.begin_ns)
		keep_kernel_stack(thread, task, WHERE(generation, CUT_CPU), CONTEXT_CUT);
	*copy = *thread;
	asm volatile("" ::: "memory");
	if (!take_piece(&thread->until_ns, end_ns, &piece.from_ns))
		return 0;
	running_ns = piece.from_ns;
	if (!copy->is_running) {
		running_ns = LATEST(task->on_cpu) ? missed_arrival(copy, task) : 0;
		copy->turn_ns = turned_at(copy, task, running_ns);
	}
	if (!running_ns || running_ns > end_ns)
		running_ns = end_ns;
	if (running_ns < piece.from_ns)
		running_ns = piece.from_ns;
	piece.to_ns = running_ns;
	add_to_slot(generation, CUT_CPU, SLOT_RUNNING_NS, end_ns - running_ns);
	if (piece.to_ns > piece.from_ns)
		charge_piece(generation, CUT_CPU, task, copy, &piece);
	return 0;
}

/* ---- threads without a record ---- */

/* Returns a number that changes with each switch away from the thread. */
static __always_inline __u64 count_switches(struct task_struct *task)
{
	return LATEST(task->nvcsw) + LATEST(task->nivcsw);
}

/*
 * Fills in a record with what the thread does. Returns false if it did something else meanwhile: a
 * switch that does not see the record yet changes the number of switches, or on_cpu.
 */
static __always_inline bool find_doing(struct waiting_thread *thread, struct task_struct *task)
{
	const __u64 nr_switches = count_switches(task);
	const unsigned int on_cpu = LATEST(task->on_cpu);
	const bool waits = is_queued(task);

	init_thread(thread, task, bpf_ktime_get_ns());
	thread->key.user = thread->key.kernel = STACK_REF(STACK_MISSING, STACK_MISSING_UNREADABLE);
	if (READ(task, flags) &
	    PF_WORKERS) /* kernel workers of the process have only a kernel stack */
		thread->key.user = STACK_NONE;
	thread->is_running = on_cpu != 0;
	thread->clock_ns = thread->since_ns - READ(task, se.exec_start);
	if (!on_cpu)
		thread->key.what =
			WHAT(cfg_wait_event, wait_of(thread, task, waits, LATEST(task->__state)));
	if (!on_cpu)
		keep_clocks(thread, task);
	if (cfg_locks_only && !on_cpu)
		thread->key.kernel = lock_of(thread, task);
	if (cfg_locks_only && !thread->key.kernel)
		thread->stands_for = STANDS_FILTERED;
	if (on_cpu || waits)
		thread->found_ns = thread->since_ns;
	asm volatile("" ::: "memory");
	thread->is_known = 1;
	asm volatile("" ::: "memory");
	return count_switches(task) == nr_switches && LATEST(task->on_cpu) == on_cpu;
}

/* Has a stack frame of its own. */
static __noinline int find_thread(struct waiting_thread *thread, struct task_struct *task)
{
	__u32 i;

	for (i = 0; i < FOUND_TRIES && !find_doing(thread, task); i++)
		thread->is_known = 0;
	/* the thread switches all the time: its next switch corrects the record */
	if (!thread->is_known)
		thread->is_known = 1;
	return 0;
}

/* ---- the pass ---- */

SEC("iter/task")
int on_cut(struct bpf_iter__task *ctx)
{
	const __u32 open = LATEST(session.open_generation);
	struct task_struct *task = ctx->task;
	struct waiting_thread *thread;
	__u32 closed = open ^ 1;
	__u64 end_ns;

	if (!task)
		return 0;
	thread = bpf_task_storage_get(&threads, task, NULL, 0);
	if (!thread || !thread->is_known) {
		if (!is_wanted(task))
			return 0;
		thread = bpf_task_storage_get(&threads, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
		if (thread)
			find_thread(thread, task);
		return 0;
	}
	if (open < NO_GENERATION) {
		asm volatile("" : "+r"(closed)); /* the verifier of 6.1 loses the bound of open */
		end_ns = session.flip_ns[closed & 1];
		cut_state(thread, task, end_ns, open);
		cut_life(thread, task, end_ns, open);
	}
	/*
	 * The record is wrong if the thread was found during a switch whose program did not see it:
	 * it shows the state before. All switches of the time of the previous pass are over.
	 */
	if (!thread->is_seen && thread->is_running != (LATEST(task->on_cpu) != 0))
		find_thread(thread, task);
	return 0;
}
