// SPDX-License-Identifier: GPL-2.0-only
#include "profile/metric.h"

#include <stdio.h>
#include <string.h>

#include "base/numbers.h"

/* Units that are written in a way of their own. */
static const struct metric_unit {
	const char *name;
	uint64_t ns; /* 0: bytes */
} units[] = {
	{"nanoseconds", 1},	 {"microseconds", 1000}, {"milliseconds", 1000000},
	{"seconds", 1000000000}, {"bytes", 0},
};

/* Metrics that people call otherwise than files do. */
static const struct metric_title {
	const char *name, *unit;
	const char *title, *heading;
} titles[] = {
	{"samples", "count", "Samples", "SAMPLES"},
	{"cpu", "nanoseconds", "CPU time", "cpu"},
};

const struct metric metric__samples = {.name = "samples", .unit = "count", .is_events = true};

static const struct metric_unit *find_unit(const char *unit)
{
	for (size_t i = 0; unit && i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i].name, unit))
			return &units[i];
	return NULL;
}

static const struct metric_title *find_title(const struct metric *metric)
{
	if (!metric->name)
		metric = &metric__samples;
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		if (!strcmp(titles[i].name, metric->name) && !strcmp(titles[i].unit, metric->unit))
			return &titles[i];
	return NULL;
}

struct metric metric__make(const char *name, const char *unit)
{
	const struct metric_unit *known = find_unit(unit);

	return (struct metric){
		.name = name,
		.unit = unit,
		.is_time = known && known->ns,
		.is_events = !strcmp(unit, "count"),
	};
}

bool metric__equal(const struct metric *a, const struct metric *b)
{
	if (!a->name || !b->name)
		return a->name == b->name;
	return !strcmp(a->name, b->name) && !strcmp(a->unit, b->unit);
}

const char *metric__title(const struct metric *metric)
{
	const struct metric_title *known = find_title(metric);

	return known ? known->title : metric->name;
}

const char *metric__heading(const struct metric *metric)
{
	const struct metric_title *known = find_title(metric);

	return known ? known->heading : metric->name;
}

const char *metric__noun(const struct metric *metric)
{
	if (!metric->name)
		metric = &metric__samples;
	return metric->is_events ? metric->name : metric->unit;
}

int metric__format(const struct metric *metric, uint64_t value, char *text, size_t size)
{
	const struct metric_unit *unit = find_unit(metric->unit);

	if (unit && !unit->ns)
		return text__format_bytes(text, size, value);
	if (unit && value <= UINT64_MAX / unit->ns)
		return text__format_duration(text, size, value * unit->ns);
	return text__format_count(text, size, value);
}

int metric__describe(const struct metric *metric, uint64_t value, char *text, size_t size)
{
	const struct metric_unit *unit = find_unit(metric->unit);
	const char *noun = metric__noun(metric);
	size_t length = strlen(noun);
	char number[64];

	metric__format(metric, value, number, sizeof(number));
	if (unit && (!unit->ns || value <= UINT64_MAX / unit->ns))
		return snprintf(text, size, "%s", number);
	if (value == 1 && length > 1 && noun[length - 1] == 's')
		length--; /* "1 widget" */
	return snprintf(text, size, "%s %.*s", number, (int)length, noun);
}
