// SPDX-License-Identifier: GPL-2.0-only
/* Time off the CPU: waits of threads, for something or for a CPU. */
#include "capture/events/source.h"
#include "capture/sources/switches.h"

static const struct metrics metrics = {
	.of = {[VALUE_COUNT] = {"waits", "count", .is_events = true, .title = "Waits",
				.heading = "WAITS"},
	       [VALUE_WEIGHT] = {"off_cpu", "nanoseconds", .title = "Time off the CPU",
				 .heading = "TIME"}},
	.shown = VALUE_WEIGHT,
};

const struct source off_cpu_source = {
	SWITCH_SOURCE,
	.name = "off-cpu",
	.meaning = "time off the CPU of threads that wait, for something or for a CPU",
	.metrics = &metrics,
	.tell = switches__tell,
	.configure = switches__configure,
};
