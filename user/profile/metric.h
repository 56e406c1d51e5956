/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the values of samples measure. An event, whatever it is, gives each sample two values: how
 * often it happened and what it weighs. Their names and units travel with every recording, so that
 * whoever shows a value asks here what it is called and how it is written.
 */
#ifndef TOPSTACKS_PROFILE_METRIC_H
#define TOPSTACKS_PROFILE_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The values of a sample, as an index. */
enum value {
	VALUE_COUNT,  /* how many */
	VALUE_WEIGHT, /* how much, in a unit of the event's own: nanoseconds of CPU time */
	VALUES,
};

/* One of the values. Strings that come from files are hostile until escaped for an output. */
struct metric {
	const char *name; /* "samples", "cpu", "inuse_space"; NULL: there are no such values */
	const char *
		unit; /* "count", "nanoseconds", "bytes", or any other word; see metric__decimals() */
	bool is_events; /* each one happened by itself: how far counts scatter is known */
	/* For people, all literals; NULL: the name. */
	const char *noun;    /* of many, if they are no events: "blocks"; NULL: the unit */
	const char *title;   /* "CPU time" */
	const char *heading; /* above a column: "SAMPLES" */
};

struct metrics {
	struct metric of[VALUES];
	enum value shown; /* what percentages are of, and what is ranked by */
	bool is_chosen;	  /* by the user, so that nothing else is shown instead */
	bool has_rates; /* samples of several rates were added up, which weigh differently, however little */
};

/* What numbers count where nothing says what they are: "samples" in "count". */
extern const struct metric metric__samples;

/* Of blocks of memory that were allocated, and of those that still are; bytes are shown. */
extern const struct metrics metrics__alloc, metrics__live;

/* The value of that name and unit, which are borrowed, with words for people if it is a known one. */
struct metric metric__named(const char *name, const char *unit);

/* It says how many, whether they are events or what is guessed from some. */
static inline bool metric__is_count(const struct metric *metric)
{
	return metric->unit && !strcmp(metric->unit, "count");
}

/* Both have the same name and unit, or both are missing. */
bool metric__equal(const struct metric *a, const struct metric *b);

/* Those of samples where nothing says what the values are. */
const char *metric__title(const struct metric *metric);
/* Above a column: a name that is wider gives way to a word, as headers have it anyway. */
const char *metric__heading(const struct metric *metric, size_t most_columns);

/* What one counts in: "samples", "blocks", "widgets", "nanoseconds". */
const char *metric__noun(const struct metric *metric);

/* Its unit is one of time or bytes: numbers are written with it, "1.5 s", "3.2 MB". */
bool metric__brings_unit(const struct metric *metric);

/*
 * Fractions are whole numbers of a decimal of their unit: 0.25 is 25 in "/100 count", so that
 * both say 25/100 together. How many decimals
 * such a unit has; 0: it is none.
 */
#define METRIC_MOST_DECIMALS 18
int metric__decimals(const struct metric *metric);
/* The unit without them. */
const char *metric__whole_unit(const struct metric *metric);
/* The unit with so many decimals, which may be none; text or unit itself. */
#define METRIC_UNIT_SIZE 64
const char *metric__decimal_unit(const char *unit, int decimals, char text[METRIC_UNIT_SIZE]);

/* In its unit without decimals: 0.25. */
double metric__number(const struct metric *metric, uint64_t value);

/* For programs: the number itself, "25" or "0.25". As snprintf. */
int metric__format_plain(const struct metric *metric, uint64_t value, char *text, size_t size);

/* Of one in its unit; 0: the unit is none of time. */
uint64_t metric__unit_ns(const struct metric *metric);

/* How many of a finer unit one is: of "ms", 1000 in "microseconds". 0: it is finer itself, or of something else. */
uint64_t metric__units_in(const char *unit, const char *finer);

/* "12,345", "1.5 s", "3.2 MB": for a column whose heading says the rest. As snprintf. */
int metric__format(const struct metric *metric, uint64_t value, char *text, size_t size);

/* "1 sample", "12,345 samples", "1.5 s", "3.2 MB", "12 widgets". As snprintf. */
int metric__describe(const struct metric *metric, uint64_t value, char *text, size_t size);

static inline const struct metric *metrics__shown(const struct metrics *metrics)
{
	return &metrics->of[metrics->shown];
}

/* Nobody has said what the values are. */
static inline bool metrics__are_unset(const struct metrics *metrics)
{
	return !metrics->of[VALUE_COUNT].name && !metrics->of[VALUE_WEIGHT].name;
}

/*
 * What is counted are samples, and the weight is what they stand for: time that was spent, or a number of events. So
 * samples of one rate weigh the same. Waits, say, are no samples of their time.
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

/* The one that is not shown; its name may be NULL. */
static inline const struct metric *metrics__other(const struct metrics *metrics)
{
	return &metrics->of[metrics->shown == VALUE_COUNT ? VALUE_WEIGHT : VALUE_COUNT];
}

#endif
