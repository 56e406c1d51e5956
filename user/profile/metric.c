// SPDX-License-Identifier: GPL-2.0-only
#include "profile/metric.h"

#include <ctype.h>
#include <math.h>
#include <strings.h>

/*
 * Words for people for metrics that are common to many profilers, or our own: files have no titles.
 */

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
	/* Heaps of other profilers, which do not say whether blocks are live. */
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

/*
 * A metric is a known one if it has its name, and its unit or one of the same kind (time, or
 * bytes). Fractions of a known metric are weights, with the name of the known one.
 */
struct metric metric__named(const char *name, const char *unit)
{
	const struct metric metric = {
		.name = name, .unit = unit, .is_events = !strcmp(unit, "count")};
	const char *whole_unit = metric__whole_unit(&metric);

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		for (size_t j = 0; j < known[i].nr; j++) {
			struct metric found = known[i].of[j];

			if (strcmp(name, found.name) != 0 ||
			    (strcmp(whole_unit, found.unit) != 0 &&
			     !metric__units_in(whole_unit, found.unit)))
				continue;
			if (metric__decimals(&metric)) {
				found.noun = metric__noun(&found);
				found.unit = unit;
				found.is_events = false;
			} else if (strcmp(found.unit, unit) != 0) {
				found.name = name;
				found.unit = unit;
			}
			return found;
		}
	return metric;
}

/*
 * Units with a format of their own, and other profilers' names for them. Names are in lower case
 * and without a plural s, as pprof compares them (internal/measurement). A kilobyte is 1,024 bytes,
 * as in pprof.
 */
static const struct metric_unit {
	const char *names[4];
	uint64_t ns, bytes; /* of one unit; one of the two is 0 */
} units[] = {
	{{"nanosecond", "ns"}, 1, 0},
	{{"microsecond", "us", "\xc2\xb5s", "\xce\xbcs"}, 1000, 0},
	{{"millisecond", "ms"}, 1000000, 0},
	{{"second", "sec", "s"}, 1000000000, 0},
	{{"minute", "min"}, 60000000000, 0},
	{{"hour", "hr", "h"}, 3600000000000, 0},
	{{"day"}, 86400000000000, 0},
	{{"byte", "b"}, 0, 1},
	{{"kilobyte", "kbyte", "kb", "kib"}, 0, 1ULL << 10},
	{{"megabyte", "mbyte", "mb", "mib"}, 0, 1ULL << 20},
	{{"gigabyte", "gbyte", "gb", "gib"}, 0, 1ULL << 30},
	{{"terabyte", "tbyte", "tb", "tib"}, 0, 1ULL << 40},
	{{"petabyte", "pbyte", "pb", "pib"}, 0, 1ULL << 50},
};

/*
 * True if name is the unit, or its plural. Only names longer than two characters have a plural:
 * "ms" is no "m".
 */
static bool is_named(const struct metric_unit *unit, const char *name)
{
	const size_t nr = strlen(name);
	const int first = tolower((unsigned char)name[0]);

	for (size_t i = 0; i < sizeof(unit->names) / sizeof(unit->names[0]) && unit->names[i];
	     i++) {
		const size_t length = strlen(unit->names[i]);

		if ((unsigned char)unit->names[i][0] != first ||
		    strncasecmp(unit->names[i], name, length))
			continue;
		if (nr == length ||
		    (nr > 2 && nr == length + 1 && tolower((unsigned char)name[length]) == 's'))
			return true;
	}
	return false;
}

static const struct metric_unit *find_unit(const char *unit)
{
	for (size_t i = 0; unit && i < sizeof(units) / sizeof(units[0]); i++)
		if (is_named(&units[i], unit))
			return &units[i];
	return NULL;
}

uint64_t metric__units_in(const char *unit, const char *finer)
{
	const struct metric_unit *a = find_unit(unit), *b = find_unit(finer);

	if (!a || !b || !a->ns != !b->ns)
		return 0;
	return a->ns ? a->ns / b->ns : a->bytes / b->bytes;
}

/* Values without a known metric are taken for samples. */
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

/* Parses "/100 ", the prefix of decimals. Returns its length; 0: the unit has none. */
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

bool metrics__stand_for_weight(const struct metrics *metrics)
{
	if (!metrics->of[VALUE_WEIGHT].name)
		return false;
	return metrics__count_events(metrics) ||
	       (metric__equal(&metrics->of[VALUE_COUNT], &metric__samples) &&
		metric__unit_ns(&metrics->of[VALUE_WEIGHT]));
}

/* The value can be written as a time or as bytes. */
static bool fits(const struct metric_unit *unit, uint64_t value)
{
	return unit && value <= UINT64_MAX / (unit->ns ? unit->ns : unit->bytes);
}

int metric__format(const struct metric *metric, uint64_t value, char *text, size_t size)
{
	const struct metric_unit *unit = find_unit(metric->unit);

	if (fits(unit, value))
		return unit->ns ? text__format_duration(text, size, value * unit->ns)
				: text__format_bytes(text, size, value * unit->bytes);
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
	if (fits(unit, value))
		return snprintf(text, size, "%s", number);
	return snprintf(text, size, "%s %.*s", number,
			text__noun_length(noun, value == 1 && !metric__decimals(metric)), noun);
}
