// SPDX-License-Identifier: GPL-2.0-only
#include "profile/metric.h"

#include <stdio.h>
#include <string.h>

#include "base/numbers.h"
#include "base/text.h"

/* Units that are written in a way of their own. */
static const struct metric_unit {
	const char *name;
	uint64_t ns; /* 0: bytes */
} units[] = {
	{"nanoseconds", 1},	 {"microseconds", 1000}, {"milliseconds", 1000000},
	{"seconds", 1000000000}, {"bytes", 0},
};

static const struct metric_unit *find_unit(const char *unit)
{
	for (size_t i = 0; unit && i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i].name, unit))
			return &units[i];
	return NULL;
}

/* Numbers of which nothing is said are samples. */
static const struct metric *named(const struct metric *metric)
{
	return metric->name ? metric : &metric__samples;
}

bool metric__equal(const struct metric *a, const struct metric *b)
{
	if (!a->name || !b->name)
		return a->name == b->name;
	return !strcmp(a->name, b->name) && !strcmp(a->unit, b->unit);
}

const char *metric__title(const struct metric *metric)
{
	metric = named(metric);
	return metric->title ? metric->title : metric->name;
}

const char *metric__heading(const struct metric *metric, size_t most_columns)
{
	metric = named(metric);
	if (metric->heading)
		return metric->heading;
	if (text__width(metric->name) <= most_columns)
		return metric->name;
	return metric->is_events ? "EVENTS" : "AMOUNT";
}

const char *metric__noun(const struct metric *metric)
{
	metric = named(metric);
	if (metric->noun)
		return metric->noun;
	return metric->is_events ? metric->name : metric->unit;
}

bool metric__brings_unit(const struct metric *metric)
{
	return find_unit(metric->unit);
}

uint64_t metric__unit_ns(const struct metric *metric)
{
	const struct metric_unit *unit = find_unit(metric->unit);

	return unit ? unit->ns : 0;
}

bool metrics__stand_for_weight(const struct metrics *metrics)
{
	if (!metrics->of[VALUE_WEIGHT].name)
		return false;
	return metrics__count_events(metrics) ||
	       (metric__equal(&metrics->of[VALUE_COUNT], &metric__samples) &&
		metric__unit_ns(&metrics->of[VALUE_WEIGHT]));
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
	char number[64];

	metric__format(metric, value, number, sizeof(number));
	if (unit && (!unit->ns || value <= UINT64_MAX / unit->ns))
		return snprintf(text, size, "%s", number);
	return snprintf(text, size, "%s %.*s", number, text__noun_length(noun, value == 1), noun);
}
