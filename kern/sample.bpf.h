/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sample, whatever the source of events: filter, walk both stacks, charge a weight to the key. The
 * file of a source has its programs, and knows what an event weighs and where its registers are.
 */
#ifndef TOPSTACKS_SAMPLE_H
#define TOPSTACKS_SAMPLE_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "arch.bpf.h"
#include "counts.bpf.h"
#include "event.bpf.h"
#include "excluded.bpf.h"
#include "filter.bpf.h"
#include "interpreter_names.bpf.h"
#include "maps.bpf.h"
#include "owner.bpf.h"
#include "processes.bpf.h"
#include "reads.bpf.h"
#include "records.bpf.h"
#include "shares.bpf.h"
#include "stacks.bpf.h"
#include "topstacks/waits.h"
#include "turns.bpf.h"
#include "unwind.bpf.h"

static __always_inline __u64 unwind_user(const struct sample_event *event, __u64 process,
					 const struct current_set *set)
{
	struct spilled_stack *stack;
	bool is_new = false;
	__u64 ref;

	stack = walk_with_tables(event->interrupted, event->context, process);
	if (!stack)
		return STACK_NONE;
	ref = store_spilled(set, stack, &is_new);
	if (cfg_follow_interpreters)
		end_interpreted(NULL, set, event->context, is_new);
	return ref;
}

static __always_inline __u64 follow_user(const struct sample_event *event,
					 const struct current_set *set)
{
	struct spilled_stack *stack = walk_records(event);

	return stack ? store_spilled(set, stack, NULL) : STACK_NONE;
}

/*
 * In the middle of an exec the saved user registers belong to the old program while the mappings
 * are the new one's: such a stack would be named after functions that never ran.
 */
static __always_inline __u64 walk_user(const struct sample_event *event, __u64 process,
				       const struct current_set *set)
{
	bool user_mode = is_user_mode(event->interrupted);
	__u64 ref = STACK_NONE;

	if (!user_mode && is_in_exec(current_task()))
		return STACK_NONE;
	if (event->with_tables)
		ref = unwind_user(event, process, set);
	else if (event->with_records && cfg_follow_records)
		ref = follow_user(event, set);
	if (ref != STACK_NONE)
		return ref;
	ref = walk_stack(event, set, BPF_F_USER_STACK);
	if (ref == STACK_NONE && user_mode)
		return STACK_REF(STACK_MISSING, STACK_MISSING_UNREADABLE);
	return ref;
}

static __always_inline __u64 walk_kernel(const struct sample_event *event,
					 const struct current_set *set)
{
	if (is_user_mode(event->interrupted))
		return STACK_NONE;
	return walk_stack(event, set, 0);
}

static __always_inline bool has_room(__u32 number, __u32 generation)
{
	return cfg_nr_events == 1 ||
	       shares__have_room(&session.shares[generation % ABI_GENERATIONS], number);
}

static __always_inline void take_room(__u32 number, __u32 generation)
{
	if (cfg_nr_events > 1)
		shares__take(&session.shares[generation % ABI_GENERATIONS], number);
}

static __always_inline __u32 slice_of_now(void)
{
	const __u64 now_ns = bpf_ktime_get_ns(), begin_ns = session.slices_begin_ns;

	if (now_ns < begin_ns)
		return 0;
	return ((__u32)((now_ns - begin_ns) / cfg_slice_ns) & cfg_slice_mask) << WHAT_SLICE_SHIFT;
}

static __always_inline __u64 number_of(const struct sample_event *event)
{
	return event->stands_for ? event->stands_for : 1;
}

/* Adds to the key of the running task what the event weighs. */
static __always_inline void charge(const struct sample_event *event, struct running *running,
				   const struct current_set *set)
{
	struct sample_key key = {.what = event->number};

	if (event->of_wall && event->number == cfg_wall_event)
		key.what = WHAT(event->number, WAIT(WAIT_RUNNING, 0));
	if (cfg_slice_ns)
		key.what |= slice_of_now();
	key.process = hash_process(running->tgid, running->start_ns, running->exec_id);
	if (cfg_by_thread)
		key.tid = running->tid;
	if (cfg_user_stacks &&
	    key.process) /* the idle task has none, for which 6.18 may say -EPERM */
		key.user = walk_user(event, key.process, set);
	if (cfg_kernel_stacks || key.process == 0) /* the idle task's tells idling from work */
		key.kernel = walk_kernel(event, set);
	if (cfg_tells_owners)
		key.process = tell_owner(running, current_task(), key.process);
	if (event->key)
		*event->key = key;
	if (count_samples(set, &key, number_of(event), event->weight)) {
		take_room(event->number, set->generation);
		record_owner(set, current_task(), running, key.process);
	}
}

/* Whether it is a sample; it weighs as much as all hits that it stands for then. */
static __always_inline bool is_its_turn(struct sample_event *event)
{
	__u32 number = event->number % ABI_MAX_EVENTS;
	__u64 one_in = session.one_in[number];
	struct gathered *since;

	if (!event->is_counted || one_in <= 1)
		return true;
	since = bpf_map_lookup_elem(&gathered, &number);
	if (!since)
		return true;
	if (!take_turn(since, one_in, &event->weight))
		return false;
	since->chance = bpf_get_prandom_u32();
	return true;
}

static __always_inline void sample_once(struct sample_event *event, __u32 generation)
{
	__u32 row = ledger_row(generation, event->number, cfg_nr_events, cfg_nr_cpus,
			       bpf_get_smp_processor_id());
	struct running running = find_running();
	struct current_set set = {.generation = generation, .context = event->context};

	set.ledger_cpu = bpf_map_lookup_elem(&ledger, &row);
	if (!set.ledger_cpu)
		return;
	set.ledger_cpu->slots[SLOT_RUNS] += number_of(event);
	if (event->is_excluded || !read_if_wanted(&running)) {
		set.ledger_cpu->slots[SLOT_FILTERED] += number_of(event);
		return;
	}
	if (event->told)
		set.ledger_cpu->slots[SLOT_TOLD] += event->told;
	if (!is_its_turn(event))
		set.ledger_cpu->slots[SLOT_PASSED]++;
	else if (!has_room(event->number, generation))
		miss_samples(set.ledger_cpu, SLOT_COUNTS_FULL, number_of(event), event->weight);
	else
		charge(event, &running, &set);
}

/* generation: that of the event, which the caller has read once, so that a set is never split. */
static __always_inline void take_sample_in(struct sample_event *event, __u32 generation)
{
	struct timer_watch watch = begin_watch(event, generation);

	sample_once(event, generation);
	end_watch(&watch, generation);
}

static __always_inline int take_sample(struct sample_event *event)
{
	take_sample_in(event, *(volatile __u32 *)&session.generation);
	return 0;
}

#endif
