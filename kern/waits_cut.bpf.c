// SPDX-License-Identifier: GPL-2.0-only
/*
 * Iterators over tasks, for waits: what a generation has left open.
 *
 *   on_cut            stacks of who sleeps already along frame pointers
 *   on_cut_unwind     likewise by unwind tables where there are any
 *
 * Charges what each thread has done up to the end of the generation that has ended, and what it lived. Threads of targets
 * that have no record yet get one: when sampling begins, or when they have become targets. Of those that sleep
 * the stacks are walked, since they may do so forever. The memory of others may have to be waited for.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "read_sleeping.bpf.h" /* before what walks */

#include "waits.bpf.h"

char LICENSE[] SEC("license") = "GPL";

#define FOUND_TRIES 4

/* The last row of the ledger is the iterators'. */
#define CUT_CPU (cfg_nr_cpus - 1)

/* There is one pass at a time. Not on the stack, which has 512 bytes for all functions together. */
struct cut_scratch {
	struct waiting_thread copy; /* of the thread at hand */
	struct unwind_walk walk;    /* of its stack, if it sleeps */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct cut_scratch);
} cut_scratch SEC(".maps");

static __always_inline struct cut_scratch *find_scratch(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&cut_scratch, &zero);
}

/* ---- what is open at the end of the generation ---- */

/* What the scheduler gave it up to end_ns, of which it has not written down the last part yet. */
static __always_inline void account_scheduler_until(__u64 end_ns, __u32 generation,
						    struct waiting_thread *thread,
						    struct task_struct *task)
{
	__u64 ran_ns = BPF_CORE_READ(task, se.sum_exec_runtime);
	__u64 delayed_ns = BPF_CORE_READ(task, sched_info.run_delay);
	const __u64 updated_ns = BPF_CORE_READ(task, se.exec_start) + thread->clock_ns;

	if (thread->is_running)
		forget_found_delay(thread, task);
	if (thread->is_running)
		ran_ns += end_ns - updated_ns;
	else if (state_of(thread) == WAIT_PREEMPTED || state_of(thread) == WAIT_WOKEN)
		delayed_ns += end_ns - thread->since_ns;
	account_scheduler(generation, CUT_CPU, thread, ran_ns, delayed_ns);
	if (thread->found_ns) /* up to here it is accounted for */
		thread->found_ns = end_ns;
}

static __always_inline void cut_life(struct waiting_thread *thread, struct task_struct *task,
				     __u64 end_ns, __u32 generation)
{
	__u64 from_ns;

	if (end_ns == session.begin_ns) { /* what was before is nobody's */
		account_scheduler_until(end_ns, NO_GENERATION, thread, task);
		return;
	}
	if (!take_piece(&thread->lived_ns, end_ns, &from_ns))
		return;
	add_to_slot(generation, CUT_CPU, SLOT_LIVED_NS, end_ns - from_ns);
	account_scheduler_until(end_ns, generation, thread, task);
}

/*
 * What the thread says of itself is copied first: if its switch comes in between, that has the piece, and the copy
 * is worth nothing.
 */
static __noinline int cut_state(struct waiting_thread *thread, struct task_struct *task,
				__u64 end_ns, __u32 generation)
{
	struct wait_piece piece = {.to_ns = end_ns};
	struct cut_scratch *scratch = find_scratch();
	struct waiting_thread *copy;
	__u64 running_ns; /* since when it runs */

	if (!scratch || LATEST(thread->until_ns) >= end_ns)
		return 0;
	copy = &scratch->copy;
	if (!thread->is_running)
		keep_kernel_stack(thread, task, WHERE(generation, CUT_CPU), CONTEXT_CUT);
	*copy = *thread;
	asm volatile("" ::: "memory");
	if (!take_piece(&thread->until_ns, end_ns, &piece.from_ns))
		return 0;
	running_ns = copy->is_running ? piece.from_ns : missed_arrival(copy, task);
	if (!running_ns || running_ns > end_ns)
		running_ns = end_ns;
	if (running_ns < piece.from_ns)
		running_ns = piece.from_ns;
	piece.to_ns = running_ns;
	copy->wake_ns = queued_since(task);
	add_to_slot(generation, CUT_CPU, SLOT_RUNNING_NS, end_ns - running_ns);
	if (piece.to_ns > piece.from_ns)
		charge_piece(generation, CUT_CPU, task, copy, &piece);
	return 0;
}

/* ---- threads without a record ---- */

/* The walk is in the scratch: a context of bpf_loop must be on the stack (6.1), and no map keeps a task. */
struct asleep {
	struct task_struct *task;
};

static long walk_asleep_frame(__u64 index, struct asleep *asleep)
{
	struct cut_scratch *scratch = find_scratch();

	return scratch ? walk_one(index, &scratch->walk, asleep->task) : 1;
}

/* Along frame records alone. */
static long follow_asleep_record(__u64 index, struct asleep *asleep)
{
	struct cut_scratch *scratch = find_scratch();
	struct unwind_registers *registers;
	__u64 record[2];

	if (!scratch || !keep_frame(&scratch->walk, index))
		return 1;
	registers = &scratch->walk.registers;
	if (registers->fp & 7 || unwind_read(asleep->task, registers->fp, record, sizeof(record)))
		return 1;
	registers->fp = record[0];
	registers->pc = record[1];
	return !record[1];
}

static __always_inline void init_walk(struct unwind_walk *walk)
{
	__builtin_memset(walk, 0, sizeof(*walk));
	walk->key = HASH_SEED ^ cfg_hash_seed;
	walk->check = HASH_CHECK_SEED ^ cfg_hash_seed;
	walk->context = CONTEXT_CUT;
}

/* NULL: it has none, or nothing is known. */
static __always_inline struct spilled_stack *walk_asleep(struct task_struct *task, __u64 process,
							 bool with_tables)
{
	struct asleep asleep = {.task = task};
	__u32 buffer = CONTEXT_CUT;
	struct spilled_stack *stack = bpf_map_lookup_elem(&spill_buffer, &buffer);
	struct cut_scratch *scratch = find_scratch();
	struct unwind_regions *regions;

	if (!stack || !scratch)
		return NULL;
	init_walk(&scratch->walk);
	arch__read_saved(task, &scratch->walk.registers);
	if (!scratch->walk.registers.pc)
		return NULL;
	regions = with_tables ? bpf_map_lookup_elem(&unwind_procs, &process) : NULL;
	if (regions) {
		scratch->walk.end = UNWIND_STEP_DEEP;
		scratch->walk.regions = *regions;
		scratch->walk.is_mapped = find_row(&scratch->walk, scratch->walk.registers.pc);
		bpf_loop(cfg_max_depth, walk_asleep_frame, &asleep, 0);
	} else {
		bpf_loop(cfg_max_depth, follow_asleep_record, &asleep, 0);
	}
	finish_walk(&scratch->walk, stack);
	return stack;
}

/* Changes with each switch from the thread. */
static __always_inline __u64 count_switches(struct task_struct *task)
{
	return LATEST(task->nvcsw) + LATEST(task->nivcsw);
}

/*
 * Its record says what it does; false: it does something else meanwhile. A switch that does not see the record yet is one
 * that changes the count, or what is on the CPU.
 */
static __always_inline bool find_doing(struct waiting_thread *thread, struct task_struct *task)
{
	const __u64 nr_switches = count_switches(task);
	const int on_cpu = LATEST(task->on_cpu);
	const bool is_queued = LATEST(task->on_rq) != 0;

	init_thread(thread, task, bpf_ktime_get_ns());
	thread->key.user = thread->key.kernel = STACK_REF(STACK_MISSING, STACK_MISSING_UNREADABLE);
	thread->is_running = on_cpu != 0;
	thread->clock_ns = thread->since_ns - BPF_CORE_READ(task, se.exec_start);
	if (!on_cpu)
		thread->key.what = WHAT(cfg_wait_event,
					wait_of(thread, task, is_queued, LATEST(task->__state)));
	if (cfg_locks_only && !on_cpu)
		thread->key.kernel = lock_of(thread, task);
	if (cfg_locks_only && !thread->key.kernel)
		thread->stands_for = STANDS_FILTERED;
	if (!on_cpu && is_queued)
		thread->found_ns = thread->since_ns;
	asm volatile("" ::: "memory");
	thread->is_known = 1;
	asm volatile("" ::: "memory");
	return count_switches(task) == nr_switches && LATEST(task->on_cpu) == on_cpu;
}

/* Stacks that are worth something only if the thread has not moved meanwhile. */
static __always_inline void walk_sleeper(struct waiting_thread *thread, struct task_struct *task,
					 bool with_tables)
{
	const __u64 nr_switches = count_switches(task), since_ns = thread->since_ns;
	struct current_set set = {.generation = LATEST(session.generation) & 1};
	__u64 user = STACK_NONE, kernel = STACK_NONE;
	struct spilled_stack *stack = NULL;

	set.ledger_cpu = waits_row(set.generation, CUT_CPU);
	if (!set.ledger_cpu)
		return;
	if (cfg_locks_only)
		kernel = thread->key.kernel;
	else if (cfg_kernel_stacks)
		kernel = walk_kernel_of(task, &set, CONTEXT_CUT);
	if (cfg_user_stacks) {
		stack = walk_asleep(task, thread->key.process, with_tables);
		user = stack ? store_spilled(&set, stack)
			     : STACK_REF(STACK_MISSING, STACK_MISSING_UNREADABLE);
	}
	session.nr_asleep++;
	if (count_switches(task) != nr_switches || LATEST(task->on_cpu))
		return;
	session.nr_asleep_walked += !cfg_user_stacks || stack;
	thread->asleep_user = user;
	thread->asleep_kernel = kernel;
	asm volatile("" ::: "memory");
	thread->asleep_since_ns = since_ns;
}

/* Whether its stacks are to be walked: it sleeps. With a frame of its own, apart from that of walks. */
static __noinline int find_thread(struct waiting_thread *thread, struct task_struct *task)
{
	__u32 i;

	for (i = 0; i < FOUND_TRIES && !find_doing(thread, task); i++)
		thread->is_known = 0;
	if (!thread->is_known) /* it does nothing but switch: its next one tells */
		thread->is_known = 1;
	return !thread->is_running;
}

/* With frames of their own, apart from that of the cut. */
static __noinline int walk_along_pointers(struct waiting_thread *thread, struct task_struct *task)
{
	walk_sleeper(thread, task, false);
	return 0;
}

static __noinline int walk_by_tables(struct waiting_thread *thread, struct task_struct *task)
{
	walk_sleeper(thread, task, true);
	return 0;
}

static __always_inline void begin_record(struct waiting_thread *thread, struct task_struct *task,
					 bool with_tables)
{
	if (!find_thread(thread, task))
		return;
	if (with_tables)
		walk_by_tables(thread, task);
	else
		walk_along_pointers(thread, task);
}

/* ---- the pass ---- */

/*
 * It was found in the moment of a switch, whose program did not see it: it says what it did before, and would go on to. All
 * switches are over that there were in the pass before.
 */
static __always_inline bool is_wrong(const struct waiting_thread *thread, struct task_struct *task)
{
	return !thread->is_seen && thread->is_running != (LATEST(task->on_cpu) != 0);
}

static __always_inline int cut_thread(struct task_struct *task, bool with_tables)
{
	const __u32 open = LATEST(session.open_generation);
	struct waiting_thread *thread;
	__u64 end_ns;

	if (!task)
		return 0;
	thread = bpf_task_storage_get(&threads, task, NULL, 0);
	if (!thread || !thread->is_known) {
		if (!is_wanted(task))
			return 0;
		thread = bpf_task_storage_get(&threads, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
		if (thread)
			begin_record(thread, task, with_tables);
		return 0;
	}
	if (open < NO_GENERATION) {
		end_ns = session.flip_ns[(open ^ 1) & 1];
		cut_state(thread, task, end_ns, open);
		cut_life(thread, task, end_ns, open);
	}
	if (is_wrong(thread, task))
		begin_record(thread, task, with_tables);
	return 0;
}

SEC("iter.s/task")
int on_cut(struct bpf_iter__task *ctx)
{
	return cut_thread(ctx->task, false);
}

SEC("iter.s/task")
int on_cut_unwind(struct bpf_iter__task *ctx)
{
	return cut_thread(ctx->task, true);
}
