// SPDX-License-Identifier: GPL-2.0-only
/*
 * An iterator over tasks: walks the user stacks of threads that sleep when sampling begins, and
 * that may sleep for ever.
 *
 *   on_asleep         along frame pointers
 *   on_asleep_unw     by unwind tables where there are any
 *
 * The program reads the memory of other processes, which may be delayed without limit, so its
 * caller must be able to go on without it. It never waits for a lock that the other process
 * holds when the iterator arrives.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "interpreters/read_sleeping.bpf.h" /* before headers of walks */

#include "waits/waits.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/*
 * A struct of its own: a context of bpf_loop must be on the stack (6.1), and no map can hold a
 * task.
 */
struct asleep {
	struct task_struct *task;
};

static long walk_asleep_frame(__u64 index, struct asleep *asleep)
{
	struct unwind_walk *walk = find_walk(CONTEXT_ASLEEP);

	(void)index;
	return !walk || walk_one(walk, asleep->task, HANDS_NOTHING) ? 1 : 0;
}

/* Follows frame pointers only. */
static long follow_asleep_record(__u64 index, struct asleep *asleep)
{
	struct unwind_walk *walk = find_walk(CONTEXT_ASLEEP);
	struct unwind_registers *registers;
	__u64 record[2];

	(void)index;
	if (!walk || !keep_word(walk, word_of_address(walk->registers.pc)))
		return 1;
	registers = &walk->registers;
	if (registers->fp & 7 || unwind_read(asleep->task, registers->fp, record, sizeof(record)))
		return 1;
	registers->fp = record[0];
	registers->pc = record[1];
	return !record[1];
}

/* Walks a sleeping task. NULL: it has no user stack, or scratch memory is missing. */
static __always_inline struct spilled_stack *walk_asleep(struct task_struct *task, __u64 process,
							 bool with_tables)
{
	struct asleep asleep = {.task = task};
	__u32 buffer = CONTEXT_ASLEEP;
	struct spilled_stack *stack = bpf_map_lookup_elem(&record_buffer, &buffer);
	struct unwind_walk *walk = find_walk(CONTEXT_ASLEEP);
	struct unwind_regions *regions;

	if (!stack || !walk)
		return NULL;
	begin_walk(walk, CONTEXT_ASLEEP);
	walk->process = process;
	walk->end = 0; /* along frame pointers */
	arch__read_saved(task, &walk->registers);
	if (!walk->registers.pc)
		return NULL;
	regions = with_tables ? bpf_map_lookup_elem(&unwind_procs, &process) : NULL;
	if (regions) {
		walk->end = UNWIND_STEP_DEEP;
		take_listing(walk, regions);
		walk->is_mapped = find_row(walk, walk->registers.pc);
		bpf_loop(most_steps(cfg_follow_interpreters), walk_asleep_frame, &asleep, 0);
		if (cfg_follow_interpreters)
			walk->nr_guessed += is_doubtful(walk);
	} else {
		bpf_loop(cfg_max_depth, follow_asleep_record, &asleep, 0);
	}
	finish_walk(walk, stack);
	return stack;
}

struct stack_memory {
	bool is_plain; /* no file is mapped there, whose pages could be delayed on purpose */
};

static long look_at_stack(struct task_struct *task, struct vm_area_struct *vma,
			  struct stack_memory *memory)
{
	(void)task;
	memory->is_plain = !vma->vm_file;
	return 0;
}

/*
 * Returns true if the stack's memory can be read. Fails at once if the process holds the lock of
 * its mappings (bpf_find_vma, 5.17).
 */
static __always_inline bool may_read(struct task_struct *task)
{
	struct unwind_registers registers = {};
	struct stack_memory memory = {};

	arch__read_saved(task, &registers);
	return registers.pc && !bpf_find_vma(task, registers.sp, look_at_stack, &memory, 0) &&
	       memory.is_plain;
}

/* Returns true if the thread waits for more than a CPU. */
static __always_inline bool is_asleep(const struct waiting_thread *thread)
{
	return !thread->found_ns && state_of(thread) != WAIT_WOKEN;
}

/* Walks a thread. The stack only counts if the thread has not run meanwhile. */
static __always_inline void walk_sleeper(struct waiting_thread *thread, struct task_struct *task,
					 bool with_tables)
{
	const __u64 since_ns = thread->since_ns;
	const __u32 cpu = cfg_nr_cpus - 1;
	struct current_set set = {.generation = LATEST(session.generation) & 1,
				  .context = CONTEXT_ASLEEP};
	struct spilled_stack *stack = NULL;
	bool is_new = false;

	session.nr_asleep += is_asleep(thread);
	set.ledger_cpu = waits_row(set.generation, cpu);
	if (!set.ledger_cpu || !may_read(task))
		return;
	stack = walk_asleep(task, thread->key.process, with_tables);
	if (!stack || LATEST(thread->is_seen))
		return;
	session.nr_asleep_walked += is_asleep(thread);
	thread->asleep_user = store_spilled(&set, stack, &is_new);
	if (cfg_follow_interpreters && with_tables)
		end_interpreted(task, &set, CONTEXT_ASLEEP, is_new);
	asm volatile("" ::: "memory");
	thread->asleep_since_ns = since_ns;
}

static __always_inline int look_at(struct task_struct *task, bool with_tables)
{
	struct waiting_thread *thread;

	if (!task)
		return 0;
	thread = bpf_task_storage_get(&threads, task, NULL, 0);
	/* only if the thread has not run since it was found */
	if (thread && thread->is_known && !thread->is_running && !thread->is_seen &&
	    thread->stands_for != STANDS_FILTERED)
		walk_sleeper(thread, task, with_tables);
	return 0;
}

SEC("iter.s/task")
int on_asleep(struct bpf_iter__task *ctx)
{
	return look_at(ctx->task, false);
}

SEC("iter.s/task")
int on_asleep_unw(struct bpf_iter__task *ctx)
{
	return look_at(ctx->task, true);
}
