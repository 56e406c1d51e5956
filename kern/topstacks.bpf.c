// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs: one a source of events, and those that follow processes and read maps.
 *
 *   on_cpu_sample     perf event      filter, walk both stacks, count
 *   on_cpu_unwind     perf event      the same, user stacks by unwind tables where there are any
 *   on_fork, on_exit, on_free         keep the targets map and the CPU time of the dead
 *   on_list_task, on_task_time        iterators over tasks
 *   on_dying_time, on_sweep_target    iterators over what the dead have left behind
 *   on_drain_*                        iterators over a generation that user space owns
 */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <linux/errno.h>
#include <stdbool.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "counts.bpf.h"
#include "filter.bpf.h"
#include "kernel_types.bpf.h"
#include "maps.bpf.h"
#include "processes.bpf.h"
#include "stacks.bpf.h"
#include "unwind.bpf.h"

char LICENSE[] SEC("license") = "GPL";

static __always_inline bool is_user_mode(struct bpf_perf_event_data *ctx)
{
#if defined(__TARGET_ARCH_arm64)
	return (ctx->regs.pstate & 0xf) == 0;
#else
	return (ctx->regs.cs & 3) == 3;
#endif
}

/*
 * In the middle of an exec the saved user registers belong to the old program while the mappings
 * are the new one's: such a stack would be named after functions that never ran.
 */
static __always_inline bool is_in_exec(void)
{
	struct task_struct *task = (void *)bpf_get_current_task();

	return bpf_core_field_exists(task->in_execve) &&
	       BPF_CORE_READ_BITFIELD_PROBED(task, in_execve);
}

/*
 * Of the process, or of its parent's, as long as it has not mapped anything else: then it has an
 * entry of its own.
 */
static __always_inline struct unwind_regions *find_regions(__u64 process)
{
	struct unwind_regions *regions = bpf_map_lookup_elem(&unwind_procs, &process);
	struct task_struct *task = (void *)bpf_get_current_task();
	struct task_struct *parent;

	if (regions)
		return regions;
	parent = BPF_CORE_READ(task, group_leader, real_parent, group_leader);
	if (BPF_CORE_READ(task, mm, exe_file) != BPF_CORE_READ(parent, mm, exe_file))
		return NULL;
	process = hash_process(BPF_CORE_READ(parent, tgid), BPF_CORE_READ(parent, start_boottime),
			       BPF_CORE_READ(parent, self_exec_id));
	return bpf_map_lookup_elem(&unwind_procs, &process);
}

static __always_inline __u64 unwind_user(struct bpf_perf_event_data *ctx, __u64 process,
					 void *spill_map, struct ledger_cpu *ledger_cpu)
{
	struct unwind_regions *regions = find_regions(process);
	struct spilled_stack *stack = walk_with_tables(ctx, is_user_mode(ctx), regions);

	return stack ? store_spilled(spill_map, stack, ledger_cpu) : STACK_NONE;
}

static __always_inline __u64 walk_user(struct bpf_perf_event_data *ctx, __u64 process,
				       bool with_tables, void *stacks_map, void *spill_map,
				       struct ledger_cpu *ledger_cpu)
{
	bool user_mode = is_user_mode(ctx);
	__u64 ref = STACK_NONE;

	if (!user_mode && is_in_exec())
		return STACK_NONE;
	if (with_tables)
		ref = unwind_user(ctx, process, spill_map, ledger_cpu);
	if (ref != STACK_NONE)
		return ref;
	ref = walk_stack(ctx, stacks_map, spill_map, BPF_F_USER_STACK, ledger_cpu);
	if (ref == STACK_NONE && user_mode)
		return STACK_REF(STACK_MISSING, STACK_MISSING_UNREADABLE);
	return ref;
}

static __always_inline __u64 walk_kernel(struct bpf_perf_event_data *ctx, void *stacks_map,
					 void *spill_map, struct ledger_cpu *ledger_cpu)
{
	if (is_user_mode(ctx))
		return STACK_NONE;
	return walk_stack(ctx, stacks_map, spill_map, 0, ledger_cpu);
}

static __always_inline int take_sample(struct bpf_perf_event_data *ctx, bool with_tables)
{
	__u32 generation = *(volatile __u32 *)&session.generation; /* once: a set is never split */
	__u32 row = generation * cfg_nr_cpus + bpf_get_smp_processor_id();
	void *counts_map, *stacks_map, *spill_map;
	struct running running = find_running();
	struct ledger_cpu *ledger_cpu;
	struct sample_key key = {};

	ledger_cpu = bpf_map_lookup_elem(&ledger, &row);
	if (!ledger_cpu)
		return 0;
	ledger_cpu->slots[SLOT_RUNS]++;
	if (!read_if_wanted(&running)) {
		ledger_cpu->slots[SLOT_FILTERED]++;
		return 0;
	}
	counts_map = bpf_map_lookup_elem(&counts, &generation);
	stacks_map = bpf_map_lookup_elem(&stacks, &generation);
	spill_map = bpf_map_lookup_elem(&spill, &generation);
	if (!counts_map || !stacks_map || !spill_map) {
		ledger_cpu->slots[SLOT_NO_SET]++;
		return 0;
	}

	key.process = hash_process(running.tgid, running.start_ns, running.exec_id);
	if (cfg_by_thread)
		key.tid = running.tid;
	if (cfg_user_stacks)
		key.user =
			walk_user(ctx, key.process, with_tables, stacks_map, spill_map, ledger_cpu);
	if (cfg_kernel_stacks || key.process == 0) /* the idle task's tells idling from work */
		key.kernel = walk_kernel(ctx, stacks_map, spill_map, ledger_cpu);

	if (count_sample(counts_map, &key, ctx->sample_period, ledger_cpu))
		record_if_new(generation, &running, key.process, ledger_cpu);
	return 0;
}

SEC("perf_event")
int on_cpu_sample(struct bpf_perf_event_data *ctx)
{
	return take_sample(ctx, false);
}

/* Needs bpf_loop (5.17, e6f2dd0f8067) and bpf_task_pt_regs (5.15): not loaded without. */
SEC("perf_event")
int on_cpu_unwind(struct bpf_perf_event_data *ctx)
{
	return take_sample(ctx, true);
}

/* A child of a target is a target, from before its first instruction. */
SEC("raw_tp/sched_process_fork")
int on_fork(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *parent = (void *)ctx->args[0], *child = (void *)ctx->args[1];
	__u32 tgid = BPF_CORE_READ(child, tgid);
	struct target *of_parent, of_child = {};
	long err;

	if (BPF_CORE_READ(parent, tgid) == tgid) /* a thread: its process is in the map or not */
		return 0;
	of_parent = find_target(parent);
	if (!of_parent)
		return 0;
	of_child.start_ns = BPF_CORE_READ(child, start_boottime);
	/* A child of a command that has not begun yet has not begun either. */
	if (BPF_CORE_READ(parent, group_leader, self_exec_id) < of_parent->min_exec_id)
		of_child.min_exec_id = of_parent->min_exec_id;
	of_child.pass = session.pass;
	err = bpf_map_update_elem(&targets, &tgid, &of_child, BPF_NOEXIST);
	if (!err)
		__sync_fetch_and_add(&session.nr_targets, 1);
	else if (err == -EEXIST) /* of one whose end was missed */
		err = bpf_map_update_elem(&targets, &tgid, &of_child, BPF_ANY);
	if (err)
		__sync_fetch_and_add(&session.children_not_followed, 1);
	return 0;
}

/*
 * CPU time of the dead. At exit the scheduler has not updated the task's time for the last time,
 * and between release and free it is in no list: so its time counts as dead from here on, on_free
 * adds what came after, and in between on_dying_time does.
 *
 * Should an on_free be missed, the memory of its task gets another tenant: the start time tells.
 */
SEC("raw_tp/sched_process_exit")
int on_exit(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (void *)ctx->args[0];
	__u64 id = (__u64)task;
	struct dying_task exited;

	if (!find_target(task))
		return 0;
	exited.start_ns = BPF_CORE_READ(task, start_boottime);
	exited.counted_ns = BPF_CORE_READ(task, se.sum_exec_runtime);
	if (bpf_map_update_elem(&dying, &id, &exited, BPF_ANY))
		__sync_fetch_and_add(&session.runtime_untracked, 1);
	else
		__sync_fetch_and_add(&session.dead_ns, exited.counted_ns);
	return 0;
}

static __always_inline struct dying_task *find_dying(struct task_struct *task)
{
	__u64 id = (__u64)task;
	struct dying_task *exited = bpf_map_lookup_elem(&dying, &id);

	if (!exited || exited->start_ns != BPF_CORE_READ(task, start_boottime))
		return NULL;
	return exited;
}

SEC("raw_tp/sched_process_free")
int on_free(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (void *)ctx->args[0];
	__u32 pid = BPF_CORE_READ(task, pid);
	__u64 id = (__u64)task;
	struct dying_task *exited;
	struct target *target;

	exited = find_dying(task);
	if (exited) {
		__sync_fetch_and_add(&session.dead_ns,
				     BPF_CORE_READ(task, se.sum_exec_runtime) - exited->counted_ns);
		bpf_map_delete_elem(&dying, &id);
	}
	if (cfg_filter == FILTER_PROCESS && BPF_CORE_READ(task, tgid) != pid)
		return 0;
	/* The id may belong to a new target already. */
	target = bpf_map_lookup_elem(&targets, &pid);
	if (target && target->start_ns == BPF_CORE_READ(task, start_boottime) &&
	    !bpf_map_delete_elem(&targets, &pid))
		__sync_fetch_and_add(&session.nr_targets, -1);
	return 0;
}

SEC("iter/task")
int on_list_task(struct bpf_iter__task *ctx)
{
	struct task_struct *self = (void *)bpf_get_current_task();
	struct task_struct *task = ctx->task;
	struct task_struct *leader;
	struct task_record record = {};

	if (!task)
		return 0;
	note_our_namespace(self);
	leader = BPF_CORE_READ(task, group_leader);
	record.start_ns = BPF_CORE_READ(task, start_boottime);
	record.exec_id = BPF_CORE_READ(leader, self_exec_id);
	record.tid = BPF_CORE_READ(task, pid);
	record.tgid = BPF_CORE_READ(task, tgid);
	record.ns_tid = pid_in_our_namespace(task);
	record.ns_tgid = pid_in_our_namespace(leader);
	record.parent_tgid = BPF_CORE_READ(task, real_parent, tgid);
	BPF_CORE_READ_STR_INTO(&record.comm, leader, comm);
	bpf_seq_write(ctx->meta->seq, &record, sizeof(record));
	return 0;
}

/* Adds the CPU time of living target threads to session.living_ns, which user space zeroed. */
SEC("iter/task")
int on_task_time(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct target *target;

	if (!task)
		return 0;
	target = find_target(task);
	if (!target)
		return 0;
	target->pass = session.pass;
	if (!find_dying(task))
		session.living_ns += BPF_CORE_READ(task, se.sum_exec_runtime);
	return 0;
}

/* The same for what dying threads ran since their exit; until they are freed, they can be read. */
SEC("iter/bpf_map_elem")
int on_dying_time(struct bpf_iter__bpf_map_elem *ctx)
{
	struct dying_task *exited = ctx->value;
	struct task_struct *task;
	__u64 *id = ctx->key;

	if (!id || !exited)
		return 0;
	task = (struct task_struct *)*id;
	if (exited->start_ns == BPF_CORE_READ(task, start_boottime))
		session.living_ns += BPF_CORE_READ(task, se.sum_exec_runtime) - exited->counted_ns;
	return 0;
}

/* Targets that neither of the last two passes saw are dead, and their on_free was missed. */
SEC("iter/bpf_map_elem")
int on_sweep_target(struct bpf_iter__bpf_map_elem *ctx)
{
	struct target *target = ctx->value;
	__u32 *id = ctx->key, pid;

	if (!id || !target || target->pass + 1 >= session.pass)
		return 0;
	pid = *id;
	if (!bpf_map_delete_elem(&targets, &pid))
		__sync_fetch_and_add(&session.nr_targets, -1);
	return 0;
}

/*
 * The drain. An element is marked as read only if it was written: when the buffer is full the
 * kernel shows the same element again.
 */
SEC("iter/bpf_map_elem")
int on_drain_count(struct bpf_iter__bpf_map_elem *ctx)
{
	struct sample_key *key = ctx->key;
	struct sample_value *value = ctx->value;
	struct drained_count drained;

	if (!key || !value || !value->count)
		return 0;
	drained.key = *key;
	drained.value = *value;
	if (bpf_seq_write(ctx->meta->seq, &drained, sizeof(drained)))
		return 0;
	value->count = 0;
	value->weight = 0;
	return 0;
}

SEC("iter/bpf_map_elem")
int on_drain_spill(struct bpf_iter__bpf_map_elem *ctx)
{
	struct spilled_stack *stack = ctx->value;

	if (!stack || !stack->fresh)
		return 0;
	if (!bpf_seq_write(ctx->meta->seq, stack, SPILLED_STACK_BYTES(cfg_max_depth)))
		stack->fresh = 0;
	return 0;
}

SEC("iter/bpf_map_elem")
int on_drain_proc(struct bpf_iter__bpf_map_elem *ctx)
{
	struct process_record *record = ctx->value;

	if (!record || !record->fresh)
		return 0;
	if (!bpf_seq_write(ctx->meta->seq, record, sizeof(*record)))
		record->fresh = 0;
	return 0;
}
