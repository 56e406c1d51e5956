// SPDX-License-Identifier: GPL-2.0-only
/* Time off the CPU: waits of threads, for something or for a CPU. */
#include "capture/events/event.h"
#include "capture/events/source.h"
#include "capture/events/suggestions.h"
#include "capture/sources/switches.h"

static const struct metrics metrics = {
	.of = {[VALUE_COUNT] = {"waits", "count", .is_events = true, .title = "Waits",
				.heading = "WAITS"},
	       [VALUE_WEIGHT] = {"off_cpu", "nanoseconds", .title = "Time off the CPU",
				 .heading = "TIME"}},
	.shown = VALUE_WEIGHT,
};

static int parse(struct event *event, struct error *err)
{
	return switches__parse(event, "off-cpu", &metrics, err);
}

static void suggest(struct near *near, const char *wanted)
{
	near__add(near, "off-cpu", wanted, 0);
}

const struct source off_cpu_source = {
	SWITCH_SOURCE,
	.parse = parse,
	.suggest = suggest,
	.tell = switches__tell,
	.configure = switches__configure,
};
