// SPDX-License-Identifier: GPL-2.0-only
/*
 * All time of threads: samples of running threads, by the timer of cpu, and waits, as in off-cpu.
 * The ledger knows the running time to the nanosecond, and the weights of the samples are scaled to
 * add up to it.
 */

#include "capture/events/source.h"
#include "capture/host/skeleton.h"
#include "capture/sources/switches.h"

static const struct metrics metrics = {
	.of = {[VALUE_COUNT] = {"events", "count", .is_events = true, .title = "Waits and samples",
				.heading = "COUNT"},
	       [VALUE_WEIGHT] = {"wall", "nanoseconds", .title = "Time", .heading = "TIME"}},
	.shown = VALUE_WEIGHT,
};

static void tell(const struct event *event, const struct source_options *options,
		 const struct event_fact_sink *sink)
{
	cpu_source.tell(event, options, sink);
	switches__tell(event, options, sink);
}

static void configure(struct topstacks_bpf *skeleton, unsigned int index, const struct event *event)
{
	switches__configure(skeleton, index, event);
	skeleton->rodata->cfg_wall_event = index;
}

const struct source wall_source = {
	SWITCH_VERBS,
	.name = "wall",
	.meaning = "all of the time of threads: CPU time, and time off the CPU",
	.metrics = &metrics,
	.has_rate = true,
	.companions = {[WALK_FRAME_POINTERS] =
			       (const char *const[]){SWITCH_COMPANIONS, "on_cpu_sample", NULL},
		       [WALK_TABLES] = (const char *const[]){SWITCH_COMPANIONS_BY_TABLES,
							     "on_cpu_unwind", NULL}},
	.contexts = SWITCH_CONTEXTS | IN_CONTEXT(CONTEXT_PERF_EVENT),
	.tell = tell,
	.configure = configure,
	.set_rate = switches__set_rate,
	.follow_cpus = switches__follow_cpus,
};
