/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The meaning of a sample's values. Every event gives each sample two values: a count and a weight.
 * Their names and units are stored in every recording; outputs ask here how a value is called and
 * how its numbers are written.
 */
#ifndef TOPSTACKS_PROFILE_METRIC_H
#define TOPSTACKS_PROFILE_METRIC_H

#include "base/common.h"

/* The values of a sample, as an index. */
enum value {
	VALUE_COUNT,  /* how many */
	VALUE_WEIGHT, /* how much, in a unit of the event's own: nanoseconds of CPU time */
	VALUES,
};

/* One of the values. Strings that come from files are hostile until escaped for an output. */
struct metric {
	const char *name; /* "samples", "cpu", "inuse_space"; NULL: the samples lack this value */
	/* "count", "nanoseconds", "bytes", or any other word; see metric__decimals(). */
	const char *unit;
	bool is_events; /* each one is an independent event: the scatter of counts is known */
	/* Words for people, all literals; NULL: use the name. */
	const char *noun;    /* plural, if it counts no events: "blocks"; NULL: the unit */
	const char *title;   /* "CPU time" */
	const char *heading; /* above a column: "SAMPLES" */
};

struct metrics {
	struct metric of[VALUES];
	enum value shown; /* the value of percentages and rankings */
	bool is_chosen;	  /* the user chose it: show no other value instead */
	/* Samples of several rates were added up: their weights differ, however little. */
	bool has_rates;
};

/* The metric of numbers without a known meaning: "samples" in "count". */
extern const struct metric metric__samples;

/* The metrics of allocated blocks and of blocks still allocated; bytes are shown. */
extern const struct metrics metrics__alloc, metrics__live;

/*
 * The metric of that name and unit, which are borrowed. A known metric gets its words for people.
 */
struct metric metric__named(const char *name, const char *unit);

/* The unit is "count": the number of events, or an estimate of a number. */
static inline bool metric__is_count(const struct metric *metric)
{
	return metric->unit && !strcmp(metric->unit, "count");
}

/* Both have the same name and unit, or both are missing. */
bool metric__equal(const struct metric *a, const struct metric *b);

/* These treat a metric without a name as samples. */
const char *metric__title(const struct metric *metric);
/* The heading of a column. A name wider than most_columns becomes "EVENTS" or "AMOUNT". */
const char *metric__heading(const struct metric *metric, size_t most_columns);

/* The plural of what is counted: "samples", "blocks", "widgets", "nanoseconds". */
const char *metric__noun(const struct metric *metric);

/*
 * The unit is one of time or bytes, so that numbers are written with their unit: "1.5 s", "3.2 MB".
 */
bool metric__brings_unit(const struct metric *metric);

/*
 * Fractions are stored as whole numbers of a decimal part of their unit: 0.25 is 25 in "/100
 * count". Returns the number of decimals of the metric's unit; 0: its unit has none.
 */
#define METRIC_MOST_DECIMALS 18
int metric__decimals(const struct metric *metric);
/* The unit without its decimals: "count" of "/100 count". */
const char *metric__whole_unit(const struct metric *metric);
/* The unit with so many decimals, "/100 count". Returns text, or unit itself if decimals is 0. */
#define METRIC_UNIT_SIZE 64
const char *metric__decimal_unit(const char *unit, int decimals, char text[METRIC_UNIT_SIZE]);

/* The value in whole units: 0.25. */
double metric__number(const struct metric *metric, uint64_t value);

/* For programs: the number without separators and unit, "25" or "0.25". As snprintf. */
int metric__format_plain(const struct metric *metric, uint64_t value, char *text, size_t size);

/* Nanoseconds of one unit; 0: the unit is not one of time. */
uint64_t metric__unit_ns(const struct metric *metric);

/*
 * How many of a finer unit are in one unit: 1000 "microseconds" in "ms". 0: the other unit is
 * coarser, or of another kind.
 */
uint64_t metric__units_in(const char *unit, const char *finer);

/* "12,345", "1.5 s", "3.2 MB": for a column whose heading names the metric. As snprintf. */
int metric__format(const struct metric *metric, uint64_t value, char *text, size_t size);

/* "1 sample", "12,345 samples", "1.5 s", "3.2 MB", "12 widgets". As snprintf. */
int metric__describe(const struct metric *metric, uint64_t value, char *text, size_t size);

static inline const struct metric *metrics__shown(const struct metrics *metrics)
{
	return &metrics->of[metrics->shown];
}

/* The meaning of the values is not set yet. */
static inline bool metrics__are_unset(const struct metrics *metrics)
{
	return !metrics->of[VALUE_COUNT].name && !metrics->of[VALUE_WEIGHT].name;
}

/*
 * Counts are samples, and a weight is what they stand for: time, or a number of events. Samples of
 * one rate weigh the same then. False for waits: a wait is no sample of its time.
 */
bool metrics__stand_for_weight(const struct metrics *metrics);

/* The weight is how many events the samples stand for. */
static inline bool metrics__count_events(const struct metrics *metrics)
{
	return metrics->of[VALUE_WEIGHT].name && !strcmp(metrics->of[VALUE_WEIGHT].unit, "events");
}

/* Blocks of memory and their bytes, as heap profilers sample them (profile/recording.h). */
static inline bool metrics__are_blocks(const struct metrics *metrics)
{
	const struct metric *weight = &metrics->of[VALUE_WEIGHT];

	return weight->name && !strcmp(weight->unit, "bytes") &&
	       !metrics->of[VALUE_COUNT].is_events;
}

/* The value that is not shown; its name may be NULL. */
static inline const struct metric *metrics__other(const struct metrics *metrics)
{
	return &metrics->of[metrics->shown == VALUE_COUNT ? VALUE_WEIGHT : VALUE_COUNT];
}

#endif
