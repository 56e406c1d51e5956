// SPDX-License-Identifier: GPL-2.0-only
#include "profile/metric.h"

#include <inttypes.h>
#include <math.h>
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

/* "/100 ": its length, and how many zeros there are; 0: a unit does not begin so. */
static size_t parse_decimals(const char *unit, int *decimals)
{
	size_t nr_zeros;

	if (!unit || strncmp(unit, "/10", 3) != 0)
		return 0;
	nr_zeros = strspn(unit + 2, "0");
	if (unit[2 + nr_zeros] != ' ' || nr_zeros > METRIC_MOST_DECIMALS)
		return 0;
	*decimals = (int)nr_zeros;
	return 2 + nr_zeros + 1;
}

int metric__decimals(const struct metric *metric)
{
	int decimals = 0;

	parse_decimals(metric->unit, &decimals);
	return decimals;
}

double metric__number(const struct metric *metric, uint64_t value)
{
	return (double)value / pow(10, metric__decimals(metric));
}

const char *metric__whole_unit(const struct metric *metric)
{
	int decimals;

	return metric->unit + parse_decimals(metric->unit, &decimals);
}

const char *metric__decimal_unit(const char *unit, int decimals, char text[METRIC_UNIT_SIZE])
{
	if (!decimals)
		return unit;
	snprintf(text, METRIC_UNIT_SIZE, "/1%0*d %.40s", decimals, 0, unit);
	return text;
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
	return metric->is_events ? metric->name : metric__whole_unit(metric);
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

int metric__format(const struct metric *metric, uint64_t value, char *text, size_t size)
{
	const struct metric_unit *unit = find_unit(metric->unit);

	if (unit && !unit->ns)
		return text__format_bytes(text, size, value);
	if (unit && value <= UINT64_MAX / unit->ns)
		return text__format_duration(text, size, value * unit->ns);
	if (metric__decimals(metric))
		return text__format_decimal(text, size, value, metric__decimals(metric));
	return text__format_count(text, size, value);
}

int metric__format_plain(const struct metric *metric, uint64_t value, char *text, size_t size)
{
	const int decimals = metric__decimals(metric);
	char digits[32];
	int nr_digits = snprintf(digits, sizeof(digits), "%0*" PRIu64, decimals + 1, value),
	    nr_rest;

	for (nr_rest = decimals; nr_rest && digits[nr_digits - 1] == '0'; nr_rest--)
		nr_digits--;
	digits[nr_digits] = '\0';
	if (!nr_rest)
		return snprintf(text, size, "%s", digits);
	return snprintf(text, size, "%.*s.%s", nr_digits - nr_rest, digits,
			digits + nr_digits - nr_rest);
}

int metric__describe(const struct metric *metric, uint64_t value, char *text, size_t size)
{
	const struct metric_unit *unit = find_unit(metric->unit);
	const char *noun = metric__noun(metric);
	char number[64];

	metric__format(metric, value, number, sizeof(number));
	if (unit && (!unit->ns || value <= UINT64_MAX / unit->ns))
		return snprintf(text, size, "%s", number);
	return snprintf(text, size, "%s %.*s", number,
			text__noun_length(noun, value == 1 && !metric__decimals(metric)), noun);
}
