// SPDX-License-Identifier: GPL-2.0-only
/*
 * Iterators make no bpf() map call, so they blind no CPU. The stack trace map has none: each stack
 * that this set has not shown before costs one lookup by syscall, during which the CPU takes no
 * samples; their number and time are in the ledger.
 */
#include "capture/sets.h"

#include <errno.h>
#include <string.h>

#include <bpf/bpf.h>

#include "base/clock.h"
#include "capture/iterate.h"
#include "capture/sample.h"
#include "profile/ledger.h"
#include "topstacks/abi.h"
#include "topstacks/unwind_abi.h"

struct drain {
	struct set *set;
	const struct capture_sink *sink;
	struct ledger *ledger;
};

static int take_process(void *context, const void *record)
{
	const struct process_record *from = record;
	struct drain *drain = context;
	struct process process = {
		.instance = from->instance,
		.start_ns = from->start_ns,
		.exec_id = from->exec_id,
		.seen_ns = from->seen_ns,
		.cgroup = from->cgroup,
		.pid = (int32_t)(from->ns_tgid ? from->ns_tgid : from->tgid),
		.global_pid = (int32_t)from->tgid,
		.own_pid = (int32_t)from->own_tgid,
		.kernel_thread = from->kernel_thread,
	};

	memcpy(process.comm, from->comm, sizeof(process.comm));
	process.comm[sizeof(process.comm) - 1] = '\0';
	return set__add_process(drain->set, &process);
}

static enum stack_end end_of(const struct spilled_stack *stack)
{
	static const enum cut cuts[UNWIND_STEPS] = {
		[UNWIND_STEP_NONE] = CUT_NO_RULE,      [UNWIND_STEP_UNMAPPED] = CUT_UNMAPPED,
		[UNWIND_STEP_OTHER] = CUT_OTHER_RULE,  [UNWIND_STEP_UNREADABLE] = CUT_UNREADABLE,
		[UNWIND_STEP_LOST] = CUT_FP_LOST,      [UNWIND_STEP_BACKWARDS] = CUT_BACKWARDS,
		[UNWIND_STEP_DEEP] = CUT_DEPTH,	       [UNWIND_STEP_NO_ROOM] = CUT_NO_ROOM,
		[UNWIND_STEP_UNLISTED] = CUT_UNLISTED,
	};

	if (stack->end == UNWIND_STEP_END)
		return stack->nr_guessed ? END_OPEN : END_WHOLE;
	if (stack->end > UNWIND_STEP_END && stack->end < UNWIND_STEPS)
		return (enum stack_end)(END_CUT + cuts[stack->end]);
	return END_OPEN;
}

/* The kernel's own walk, along frame pointers, knows addresses alone. */
static void take_addresses(uint64_t *words, uint32_t nr_frames)
{
	uint32_t i;

	for (i = 0; i < nr_frames; i++)
		words[i] = word_of_address(words[i]);
}

static int take_spilled(void *context, const void *record)
{
	const struct spilled_stack *stack = record;
	struct drain *drain = context;
	uint64_t words[ABI_MAX_DEPTH];

	if (stack->nr_frames > drain->set->shape.max_depth)
		return -EPROTO;
	memcpy(words, stack->words, stack->nr_frames * sizeof(*words));
	if (!stack->end)
		take_addresses(words, stack->nr_frames);
	return set__add_spilled(drain->set, stack->key, words, stack->nr_frames, end_of(stack));
}

/* The kernel pads the value with zeros; a frame at address zero ends a stack as well. */
static uint32_t count_frames(const uint64_t *words, uint32_t max_depth)
{
	while (max_depth && !words[max_depth - 1])
		max_depth--;
	return max_depth;
}

static const struct raw_stack *read_stack(struct drain *drain, uint32_t id)
{
	uint64_t words[ABI_MAX_DEPTH] = {0};
	struct set *set = drain->set;
	uint32_t nr_frames;
	uint64_t start_ns;
	int err;

	if (id >= set->nr_ids)
		return NULL;
	if (set->by_id[id])
		return set->by_id[id];
	start_ns = monotonic_ns();
	err = bpf_map_lookup_elem(set->maps[SET_STACKS], &id, words);
	drain->ledger->stacks_read++;
	drain->ledger->stacks_read_ns += monotonic_ns() - start_ns;
	nr_frames = count_frames(words, set->shape.max_depth);
	take_addresses(words, nr_frames);
	if (err || set__add_stack(set, id, words, nr_frames))
		return NULL;
	set->nr_used[SET_STACKS]++;
	return set->by_id[id];
}

/* The stack behind a reference; *missing says why there is none. */
static const struct raw_stack *find_stack(struct drain *drain, uint64_t reference, int *missing)
{
	static const enum missing reasons[] = {
		[STACK_MISSING_SPILL_FULL] = MISSING_SPILL_FULL,
		[STACK_MISSING_COLLISION] = MISSING_COLLISION,
		[STACK_MISSING_BUSY] = MISSING_BUSY,
		[STACK_MISSING_UNREADABLE] = MISSING_UNREADABLE,
	};
	const struct raw_stack *stack = NULL;
	uint64_t rest = STACK_REST(reference);

	switch (STACK_TAG(reference)) {
	case STACK_ID:
		stack = read_stack(drain, (uint32_t)rest);
		break;
	case STACK_SPILLED:
		stack = set__spilled(drain->set, rest);
		break;
	case STACK_MISSING:
		*missing = rest <= STACK_MISSING_UNREADABLE ? reasons[rest] : MISSING_UNREADABLE;
		return NULL;
	default:
		return NULL;
	}
	if (!stack)
		*missing = MISSING_UNREADABLE;
	return stack;
}

static int take_count(void *context, const void *record)
{
	const struct drained_count *drained = record;
	struct drain *drain = context;
	struct raw_sample sample = {
		.process = set__process(drain->set, drained->key.process),
		.tid = (int32_t)drained->key.tid,
		.missing = -1,
		.count = drained->value.count,
		.weight = drained->value.weight,
	};

	drain->set->nr_live++;
	sample.user = find_stack(drain, drained->key.user, &sample.missing);
	sample.kernel = find_stack(drain, drained->key.kernel, &sample.missing);
	if (sample.missing >= 0)
		drain->ledger->missing[sample.missing] += sample.count;
	if (!sample.process)
		drain->ledger->processes_unnamed += sample.count;
	drain->sink->on_sample(drain->sink->context, &sample);
	return 0;
}

int set__drain(struct set *set, const struct capture_sink *sink, struct ledger *ledger)
{
	struct drain drain = {.set = set, .sink = sink, .ledger = ledger};
	int code;

	set->nr_live = 0;
	code = iterate__run(set->links[SET_PROCESSES], sizeof(struct process_record), take_process,
			    &drain);
	if (!code)
		code = iterate__run(set->links[SET_SPILL],
				    SPILLED_STACK_BYTES(set->shape.max_depth), take_spilled,
				    &drain);
	if (!code)
		code = iterate__run(set->links[SET_COUNTS], sizeof(struct drained_count),
				    take_count, &drain);
	return code;
}
