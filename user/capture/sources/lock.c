// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contended locks: the waits of off-cpu that are for a lock, with the lock's address in place of
 * the kernel stack. In user space these are futexes, which also serve conditions and the ends of
 * threads; the stack tells them apart. Of kernel locks only sleeping ones count.
 */
#include "capture/events/event_facts.h"
#include "capture/events/source.h"
#include "capture/host/skeleton.h"
#include "capture/sources/switches.h"

static const struct metrics metrics = {
	.of = {[VALUE_COUNT] = {"contentions", "count", .is_events = true, .title = "Contentions",
				.heading = "WAITS"},
	       [VALUE_WEIGHT] = {"delay", "nanoseconds", .title = "Delay", .heading = "TIME"}},
	.shown = VALUE_WEIGHT,
};

static void tell(const struct event *event, const struct source_options *options,
		 const struct event_fact_sink *sink)
{
	switches__tell(event, options, sink);
	event_facts__add(sink, "locks", "%s",
			 "futexes, by their address, and locks of the kernel that it sleeps for");
}

static void configure(struct topstacks_bpf *skeleton, unsigned int index, const struct event *event)
{
	switches__configure(skeleton, index, event);
	skeleton->rodata->cfg_locks_only = true;
}

const struct source lock_source = {
	SWITCH_SOURCE,
	.name = "lock",
	.meaning = "time that threads wait for a lock, by its address",
	.metrics = &metrics,
	.tell = tell,
	.configure = configure,
};
