// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context switches, which it takes over from counter, sampled at the scheduler's raw tracepoint:
 * there the kernel never blocks the program (kern/switch.bpf.c). So the ledger's events are the
 * runs of the program.
 */

#include <bpf/libbpf.h>

#include "base/system/rights.h"
#include "capture/events/event.h"
#include "capture/events/event_facts.h"
#include "capture/events/source.h"
#include "capture/host/features.h"
#include "capture/host/skeleton.h"
#include "capture/sources/missed_hits.h"

static void tell(const struct event *event, const struct source_options *options,
		 const struct event_fact_sink *sink)
{
	event_facts__add(sink, "tracepoint", "%s", "sched_switch, in the kernel's own code");
	event_facts__add_sampling(sink, event, options->rate_hz);
	event_facts__add(sink, "ledger", "%s",
			 "switches that the program saw: none is kept from it");
}

static void configure(struct topstacks_bpf *skeleton, unsigned int index, const struct event *event)
{
	(void)event;
	skeleton->rodata->cfg_switch_event = index;
}

struct switch_hits {
	struct bpf_link *link;
	const struct bpf_program *program;
	struct missed_hits missed;
};

static int open_switches(void **state, const struct event *event,
			 const struct source_options *options, struct error *err)
{
	struct switch_hits *hits = xcalloc(1, sizeof(*hits));

	(void)event, (void)options, (void)err;
	hits->missed.is_counted = true;
	*state = hits;
	return 0;
}

static int start(void *state, struct topstacks_bpf *skeleton, const struct bpf_program *program,
		 struct error *err)
{
	struct switch_hits *hits = state;
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	int code = 0;

	(void)skeleton;
	hits->program = program;
	hits->link = bpf_program__attach_trace(program);
	if (!hits->link)
		code = -errno;
	rights__restore(before);
	return code ? features__explain(NULL, err, code, "attach to the scheduler's tracepoint")
		    : 0;
}

/* Before 6.2 (05b24ff9b2cf) the kernel counts no misses, and has none either. */
static void account(void *state, uint64_t nr_runs, struct ledger *ledger)
{
	struct switch_hits *hits = state;

	(void)nr_runs;
	missed_hits__take(&hits->missed, missed_hits__read(hits->program), ledger);
}

static void stop(void *state)
{
	struct switch_hits *hits = state;

	bpf_link__destroy(hits->link);
	hits->link = NULL;
}

static void close_switches(void *state)
{
	if (!state)
		return;
	stop(state);
	free(state);
}

const struct source switch_source = {
	.programs = {[WALK_FRAME_POINTERS] = "on_switch", [WALK_TABLES] = "on_switch_walk"},
	.counts_passages = true,
	.contexts = IN_CONTEXT(CONTEXT_SWITCH),
	.follows_records = true,
	.in_switch = true,
	.tell = tell,
	.configure = configure,
	.open = open_switches,
	.start = start,
	.account = account,
	.stop = stop,
	.close = close_switches,
};
