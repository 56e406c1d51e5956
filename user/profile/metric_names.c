// SPDX-License-Identifier: GPL-2.0-only
/*
 * What people call values that are the same in the files of all profilers, or are our own: files have no
 * titles.
 */
#include <string.h>

#include "profile/metric.h"

const struct metric metric__samples = {
	.name = "samples",
	.unit = "count",
	.is_events = true,
	.title = "Samples",
	.heading = "SAMPLES",
};

const struct metrics metrics__alloc = {
	.of = {[VALUE_COUNT] = {"alloc_objects", "count", .noun = "blocks",
				.title = "Allocated blocks", .heading = "BLOCKS"},
	       [VALUE_WEIGHT] = {"alloc_space", "bytes", .title = "Allocated bytes",
				 .heading = "ALLOC"}},
	.shown = VALUE_WEIGHT,
};

const struct metrics metrics__live = {
	.of = {[VALUE_COUNT] = {"inuse_objects", "count", .noun = "live blocks",
				.title = "Live blocks", .heading = "BLOCKS"},
	       [VALUE_WEIGHT] = {"inuse_space", "bytes", .title = "Live bytes", .heading = "LIVE"}},
	.shown = VALUE_WEIGHT,
};

static const struct metric others[] = {
	{"cpu", "nanoseconds", .title = "CPU time"},
	{"waits", "count", .is_events = true, .title = "Waits", .heading = "WAITS"},
	{"off_cpu", "nanoseconds", .title = "Time off the CPU", .heading = "TIME"},
	{"wall", "nanoseconds", .title = "Time", .heading = "TIME"},
	{"contentions", "count", .is_events = true, .title = "Contentions", .heading = "WAITS"},
	{"delay", "nanoseconds", .title = "Delay", .heading = "TIME"},
	/* Of heaps, where nothing says whether they are live. */
	{"objects", "count", .noun = "blocks", .title = "Blocks", .heading = "BLOCKS"},
	{"space", "bytes", .title = "Bytes", .heading = "BYTES"},
};

static const struct {
	const struct metric *of;
	size_t nr;
} known[] = {
	{&metric__samples, 1},
	{metrics__alloc.of, VALUES},
	{metrics__live.of, VALUES},
	{others, sizeof(others) / sizeof(others[0])},
};

/* The unit may be another one of the same kind: of time, or of bytes. */
static bool is_like(const struct metric *metric, const struct metric *known_one)
{
	return !strcmp(metric->name, known_one->name) &&
	       (!strcmp(metric->unit, known_one->unit) ||
		metric__units_in(metric->unit, known_one->unit));
}

static struct metric in_unit(struct metric metric, const char *name, const char *unit)
{
	if (strcmp(metric.unit, unit) != 0) {
		metric.name = name;
		metric.unit = unit;
	}
	return metric;
}

/* Fractions of what is known are weights, that are called as it is. */
struct metric metric__named(const char *name, const char *unit)
{
	const struct metric metric = {
		.name = name, .unit = unit, .is_events = !strcmp(unit, "count")};
	struct metric whole = {.name = name, .unit = metric__whole_unit(&metric)};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		for (size_t j = 0; j < known[i].nr; j++) {
			if (!is_like(&whole, &known[i].of[j]))
				continue;
			whole = known[i].of[j];
			if (!whole.unit || !metric__decimals(&metric))
				return in_unit(whole, name, unit);
			whole.noun = metric__noun(&whole);
			whole.unit = unit;
			whole.is_events = false;
			return whole;
		}
	return metric;
}
