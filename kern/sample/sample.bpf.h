/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Takes a sample, for any source: filters, walks both stacks, adds a weight to the key. The
 * source's file has the programs, and knows the weight and the registers of an event.
 *
 * Most runs meet no interpreter, and a program that follows interpreters takes a third longer to
 * verify. So where the kernel can, the program that is loaded first hands over walks that reach
 * the code of an interpreter (cfg_hands_over): by a tail call, to a program that is loaded when the
 * first file of an interpreter is met, and takes the walk over where it stands (cfg_takes_over).
 * Until then it goes on natively. Elsewhere the program that follows is the one that samples.
 */
#ifndef TOPSTACKS_KERN_SAMPLE_SAMPLE_BPF_H
#define TOPSTACKS_KERN_SAMPLE_SAMPLE_BPF_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "account/counts.bpf.h"
#include "account/excluded.bpf.h"
#include "account/shares.bpf.h"
#include "arch/arch.bpf.h"
#include "maps/event.bpf.h"
#include "maps/maps.bpf.h"
#include "maps/reads.bpf.h"
#include "maps/stacks.bpf.h"
#include "maps/turns.bpf.h"
#include "sample/filter.bpf.h"
#include "sample/interpreter_names.bpf.h"
#include "sample/owner.bpf.h"
#include "sample/processes.bpf.h"
#include "topstacks/waits.h"
#include "unwind/records.bpf.h"
#include "unwind/unwind.bpf.h"

static __always_inline __u64 unwind_user(const struct sample_event *event, __u64 process,
					 const struct current_set *set)
{
	struct spilled_stack *stack;
	bool is_new = false;
	__u64 ref;

	stack = walk_with_tables(event, process, set->generation);
	if (!stack)
		return STACK_NONE;
	ref = store_spilled(set, stack, &is_new);
	if (event->handing != HANDS_OVER && cfg_follow_interpreters)
		end_interpreted(NULL, set, event->context, is_new);
	return ref;
}

/*
 * Walks the user stack. In the middle of an exec the saved user registers belong to the old program
 * but the mappings to the new one: such a stack would name functions that never ran, so it is left
 * out.
 */
static __always_inline __u64 walk_user(const struct sample_event *event, __u64 process,
				       const struct current_set *set)
{
	bool user_mode = is_user_mode(event->interrupted);
	struct spilled_stack *stack;
	__u64 ref = STACK_NONE;

	if (!user_mode && is_in_exec(current_task()))
		return STACK_NONE;
	if (event->with_tables) {
		ref = unwind_user(event, process, set);
	} else if (event->with_records && cfg_follow_records) {
		stack = walk_records(event);
		ref = stack ? store_spilled(set, stack, NULL) : STACK_NONE;
	}
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

/* Charges the event's weight to the key of the running task. */
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
	    key.process) /* the idle task has no user stack; 6.18 may return -EPERM */
		key.user = walk_user(event, key.process, set);
	/* the idle task's kernel stack tells idling from work */
	if (cfg_kernel_stacks || key.process == 0)
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

/* Returns true if the hit is a sample; its weight is then that of all hits it stands for. */
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
	since->chance = session.by_chance ? bpf_get_prandom_u32() : 0;
	return true;
}

/* Counts the hit. Returns true if it is a sample, which is to be charged. */
static __always_inline bool admit_sample(struct sample_event *event, struct running *running,
					 struct ledger_cpu *ledger_cpu, __u32 generation)
{
	ledger_cpu->slots[SLOT_RUNS] += number_of(event);
	if (event->is_excluded || !read_if_wanted(running)) {
		ledger_cpu->slots[SLOT_FILTERED] += number_of(event);
		return false;
	}
	if (event->told)
		ledger_cpu->slots[SLOT_TOLD] += event->told;
	if (!is_its_turn(event)) {
		ledger_cpu->slots[SLOT_PASSED]++;
		return false;
	}
	if (!has_room(event->number, generation)) {
		miss_samples(ledger_cpu, SLOT_COUNTS_FULL, number_of(event), event->weight);
		return false;
	}
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
	if (event->handing == TAKES_OVER && cfg_takes_over)
		read_leader(&running);
	else if (!admit_sample(event, &running, set.ledger_cpu, generation))
		return;
	charge(event, &running, &set);
}

/* generation: as read once by the caller, so that a sample is never split between sets. */
static __always_inline void take_sample_in(struct sample_event *event, __u32 generation)
{
	struct timer_watch watch = begin_watch(event, generation);

	sample_once(event, generation);
	end_watch(&watch, generation);
}

static __always_inline int take_sample(struct sample_event *event)
{
	const bool takes_over = event->handing == TAKES_OVER && cfg_takes_over;
	const struct unwind_walk *walk = takes_over ? find_walk(event->context) : NULL;

	take_sample_in(event, walk ? walk->generation : *(volatile __u32 *)&session.generation);
	return 0;
}

#endif
