// SPDX-License-Identifier: GPL-2.0-only
/*
 * Live blocks: sampled allocations that are not freed yet, by the stack that allocated them. This
 * source's program only removes freed blocks; that of alloc adds them.
 *
 * The ledger is in blocks, like alloc's: those that are live at the end of an interval, and those
 * that found no room since the last one.
 */

#include "base/system/rights.h"
#include "capture/events/alloc_words.h"
#include "capture/events/capture_options.h"
#include "capture/events/event.h"
#include "capture/events/event_facts.h"
#include "capture/events/source.h"
#include "capture/host/skeleton.h"
#include "capture/kernel/live_blocks.h"
#include "capture/probes/alloc_probes.h"
#include "profile/ledger.h"

struct live_heap {
	struct alloc_probes freed;
	struct live_blocks *blocks;
	unsigned int event;
};

static int parse(struct event *event, struct error *err)
{
	return alloc_words__parse(event, "live", &metrics__live, err);
}

static void tell(const struct event *event, const struct source_options *options,
		 const struct event_fact_sink *sink)
{
	(void)event, (void)options;
	event_facts__add(sink, "sampled",
			 "blocks that were sampled when they were allocated; %d of them at most "
			 "are remembered",
			 ABI_MAX_LIVE);
}

static void configure(struct topstacks_bpf *skeleton, unsigned int index, const struct event *event)
{
	(void)event;
	skeleton->rodata->cfg_live_event = index;
}

static void close_living(void *state)
{
	struct live_heap *living = state;

	if (!living)
		return;
	alloc_probes__close(&living->freed);
	live_blocks__free(living->blocks);
	free(living);
}

static int open_living(void **state, const struct event *event,
		       const struct source_options *options, struct error *err)
{
	struct live_heap *living = xcalloc(1, sizeof(*living));
	int code;

	(void)event;
	living->event = options->index;
	code = alloc_probes__open(&living->freed, PASSAGE_FREED, options, err);
	if (!code && !living->freed.places.nr)
		code = error__say(err, EXIT_SYSTEM, -ENOTSUP,
				  "--live is of allocators that tell of what is free "
				  "(otel_memory:free), and none of these processes has one: let "
				  "topstacks start it, by -- COMMAND");
	if (code)
		close_living(living);
	else
		*state = living;
	return code;
}

static int start(void *state, struct topstacks_bpf *skeleton, const struct bpf_program *program,
		 struct error *err)
{
	struct live_heap *living = state;

	living->blocks = live_blocks__new(bpf_map__fd(skeleton->maps.live), living->event);
	return alloc_probes__start(&living->freed, skeleton, program, err);
}

static int add_target(void *state, int32_t pid, struct error *err)
{
	return alloc_probes__add_target(&((struct live_heap *)state)->freed, pid, err);
}

static void observe(void *state, const struct process_event *event)
{
	struct live_heap *living = state;

	alloc_probes__observe(&living->freed, event);
	if (living->blocks)
		live_blocks__observe(living->blocks, event);
}

static int hand_over(void *state, struct set *set, uint32_t generation, enum drain_moment moment,
		     const struct capture_sink *sink, struct ledger *ledger)
{
	struct live_heap *living = state;

	return live_blocks__hand_over(living->blocks, set, generation, moment, sink, ledger);
}

static void account(void *state, uint64_t nr_runs, struct ledger *ledger)
{
	(void)state, (void)nr_runs, (void)ledger;
}

static void stop(void *state)
{
	alloc_probes__stop(&((struct live_heap *)state)->freed);
}

const struct source live_source = {
	.programs = {[WALK_FRAME_POINTERS] = "on_freed", [WALK_TABLES] = "on_freed"},
	.later_rights = RIGHTS_TO_PROBE, /* a command is yet to run */
	.is_level = true,
	.parse = parse,
	.tell = tell,
	.configure = configure,
	.open = open_living,
	.start = start,
	.add_target = add_target,
	.observe = observe,
	.hand_over = hand_over,
	.account = account,
	.stop = stop,
	.close = close_living,
};
