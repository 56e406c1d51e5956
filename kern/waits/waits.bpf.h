/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Charges the waits of threads, with their stacks.
 *
 * Each thread of a target has a record (struct waiting_thread) with its state, and the time up to
 * which that is charged. Only two programs charge: the scheduler's switches of the thread, which
 * come one after the other, and the cut at the end of a generation. The program that moves until_ns
 * forward owns the piece in between.
 */
#ifndef TOPSTACKS_KERN_WAITS_WAITS_BPF_H
#define TOPSTACKS_KERN_WAITS_WAITS_BPF_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "maps/maps.bpf.h"
#include "maps/reads.bpf.h"
#include "sample/sample.bpf.h"
#include "topstacks/waits.h"
#include "waits/kinds.bpf.h"
#include "waits/moments.bpf.h"
#include "waits/threads.bpf.h"
#include "waits/wakeups.bpf.h"

/* A piece of a wait, within one generation. */
struct wait_piece {
	__u64 from_ns, to_ns;
	__u64 nr_ended;
	bool has_ended; /* the wait ends, with this piece or a later one */
};

/*
 * Returns where the piece passes from the first state of its wait to the second, as far as known.
 */
static __always_inline __u64 turn_of(const struct waiting_thread *thread,
				     const struct wait_piece *piece)
{
	const __u64 turn_ns = LATEST(thread->turn_ns);

	if (!turn_ns)
		return piece->to_ns;
	if (turn_ns < piece->from_ns)
		return piece->from_ns;
	return turn_ns < piece->to_ns ? turn_ns : piece->to_ns;
}

/* Returns when the piece becomes a wait for a CPU. */
static __always_inline __u64 woken_at(const struct waiting_thread *thread,
				      const struct wait_piece *piece)
{
	return is_runnable(thread) ? piece->from_ns : turn_of(thread, piece);
}

/* Generation and CPU of the ledger row in one argument: a function has five at most. */
#define WHERE(generation, cpu)	((__u64)(cpu) << 32 | (generation))
#define WHERE_GENERATION(where) ((__u32)(where))
#define WHERE_CPU(where)	((__u32)((where) >> 32))

/*
 * Returns the set of a generation, for programs of the scheduler's tracepoints, or, with the last
 * row, for on_cut.
 */
static __always_inline struct current_set waits_set(__u32 generation, __u32 cpu)
{
	return (struct current_set){
		.generation = generation,
		.context = cpu == cfg_nr_cpus - 1 ? CONTEXT_CUT : CONTEXT_SWITCH,
		.ledger_cpu = waits_row(generation, cpu),
	};
}

/* An amount of a task's time and its key. */
struct wait_charge {
	struct sample_key key;
	__u64 nr, weight;
};

/* Counts a charge. A global function, verified once (unwind.bpf.h). Returns 1 if the key is new. */
__weak __noinline int count_wait(__u64 where, const struct wait_charge *charge)
{
	struct current_set set = waits_set(WHERE_GENERATION(where), WHERE_CPU(where));
	struct sample_key key; /* keys of map calls must be on the stack (6.1) */
	__u64 nr, weight;

	if (!set.ledger_cpu || !charge)
		return 0;
	key = charge->key;
	nr = charge->nr;
	weight = charge->weight;
	set.ledger_cpu->slots[SLOT_RUNS] += nr;
	if (!has_room(cfg_wait_event, set.generation)) {
		miss_samples(set.ledger_cpu, SLOT_COUNTS_FULL, nr, weight);
		return 0;
	}
	if (!count_samples(&set, &key, nr, weight))
		return 0;
	take_room(cfg_wait_event, set.generation);
	return 1;
}

/* Logs the record of a task that waited. Has a stack frame of its own. */
static __noinline int record_waiter(__u64 where, struct task_struct *task, __u64 process,
				    __u64 owner)
{
	struct current_set set = waits_set(WHERE_GENERATION(where), WHERE_CPU(where));
	struct running running = {.tgid = READ(task, tgid), .tid = READ(task, pid), .owner = owner};

	running.start_ns = READ(task, group_leader, start_boottime);
	running.exec_id = READ(task, self_exec_id);
	if (set.ledger_cpu)
		record_owner(&set, task, &running, process);
	return 0;
}

static __always_inline void charge_key(__u64 where, const struct wait_charge *charge,
				       struct task_struct *task, __u64 owner)
{
	if (count_wait(where, charge))
		record_waiter(where, task, charge->key.process, owner);
}

/* Walks the kernel stack of a task that does not run, so the stack begins where it left its CPU. */
static __always_inline __u64 walk_kernel_of(struct task_struct *task, const struct current_set *set,
					    __u32 context)
{
	struct spilled_stack *stack = bpf_map_lookup_elem(&record_buffer, &context);
	long bytes;

	if (!stack)
		return STACK_REF(STACK_MISSING, STACK_MISSING_BUSY);
	bytes = bpf_get_task_stack(task, stack->words, cfg_max_depth * sizeof(__u64), 0);
	if (bytes <= 0)
		return STACK_REF(STACK_MISSING, STACK_MISSING_UNREADABLE);
	stack->nr_frames = (__u32)bytes / sizeof(__u64);
	stack->end = 0;
	stack->nr_guessed = 0;
	hash_stack(context);
	return store_spilled(set, stack, NULL);
}

/*
 * Walks the kernel stack of a wait when it is first needed, at the latest at its end: the stack
 * does not change during the wait. Has a stack frame of its own.
 */
static __noinline __attribute__((unused)) int keep_kernel_stack(struct waiting_thread *thread,
								struct task_struct *task,
								__u64 where, __u32 context)
{
	struct current_set set = waits_set(WHERE_GENERATION(where), WHERE_CPU(where));
	const __u64 since_ns = thread->since_ns;
	__u64 kernel;

	if (!cfg_kernel_stacks || cfg_locks_only || thread->kernel_since_ns == since_ns ||
	    !thread->stands_for || thread->stands_for == STANDS_FILTERED)
		return 0;
	if (!set.ledger_cpu)
		return 0;
	kernel = walk_kernel_of(task, &set, context);
	if (LATEST(thread->since_ns) != since_ns)
		return 0;
	thread->kernel = kernel;
	asm volatile("" ::: "memory");
	thread->kernel_since_ns = since_ns;
	return 0;
}

/* Fills in the stacks of a wait, as far as they were walked during it. */
static __always_inline void fill_key(struct sample_key *key, const struct waiting_thread *thread)
{
	*key = thread->key;
	if (LATEST(thread->asleep_since_ns) == thread->since_ns)
		key->user = thread->asleep_user;
	if (LATEST(thread->kernel_since_ns) == thread->since_ns)
		key->kernel = thread->kernel;
}

/*
 * Adds the thread's waker to the key. Has a stack frame of its own. It may use the buffer, as
 * stacks that were walked are stored already.
 */
static __noinline int add_waker(__u32 generation, struct sample_key *key,
				const struct waiting_thread *thread, __u32 cpu)
{
	struct current_set set = waits_set(generation, cpu);
	__u32 context = set.context;
	struct spilled_stack *stack = bpf_map_lookup_elem(&record_buffer, &context);

	if (!stack || !set.ledger_cpu)
		return 0;
	stack->words[WAKER_SLEPT] = key->kernel;
	stack->words[WAKER_PROCESS] = thread->waker_process;
	stack->words[WAKER_USER] = thread->waker_user;
	stack->words[WAKER_KERNEL] = thread->waker_kernel;
	stack->nr_frames = WAKER_WORDS;
	stack->end = SPILLED_WAKER;
	stack->nr_guessed = 0;
	hash_stack(context);
	key->kernel = store_spilled(&set, stack, NULL);
	key->what |= WHAT_HAS_WAKER;
	return 0;
}

/* Changes the state in a key; the kind of wait stays. */
static __always_inline void change_state(struct sample_key *key, enum wait_state state)
{
	const __u32 what = key->what;

	key->what = WHAT(WHAT_EVENT(what), WAIT(state, WHAT_WAIT(what) >> WAIT_KIND_SHIFT)) |
		    (what & WHAT_HAS_WAKER);
}

/* Charges a piece. A wait that changed its state gives two samples with the same stack. */
static __always_inline void charge_piece(__u32 generation, __u32 cpu, struct task_struct *task,
					 const struct waiting_thread *thread,
					 const struct wait_piece *piece)
{
	const __u64 where = WHERE(generation, cpu);
	__u64 stands_for = thread->stands_for;
	const __u64 turn_ns = turn_of(thread, piece), woken_ns = woken_at(thread, piece);
	struct wait_charge charge = {};
	__u64 owner = 0;

	add_to_slot(generation, cpu, SLOT_BLOCKED_NS, woken_ns - piece->from_ns);
	add_to_slot(generation, cpu, SLOT_RUNNABLE_NS, piece->to_ns - woken_ns);
	if (stands_for == STANDS_FILTERED) {
		add_to_slot(generation, cpu, SLOT_RUNS, piece->nr_ended);
		add_to_slot(generation, cpu, SLOT_FILTERED, piece->nr_ended);
		return;
	}
	if (!stands_for)
		return;
	fill_key(&charge.key, thread);
	if (cfg_tells_owners) {
		owner = find_owner(task);
		charge.key.process = hash_owned(charge.key.process, owner);
	}
	if (cfg_wakers && piece->has_ended && thread->waker_ns)
		add_waker(generation, &charge.key, thread, cpu);
	if (state_of(thread) == WAIT_PREEMPTED && thread->turn_ns)
		change_state(&charge.key, WAIT_THROTTLED);
	charge.nr = stands_for * piece->nr_ended;
	charge.weight = stands_for * (turn_ns - piece->from_ns);
	if (turn_ns > piece->from_ns || piece->nr_ended)
		charge_key(where, &charge, task, owner);
	if (piece->to_ns == turn_ns)
		return;
	charge.nr = 0;
	charge.weight = stands_for * (piece->to_ns - turn_ns);
	change_state(&charge.key, is_runnable(thread) ? WAIT_PREEMPTED : WAIT_WOKEN);
	charge_key(where, &charge, task, owner);
}

#endif
