// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether what a recording shows is sampled, in how many samples, and how far these scatter: the functions
 * that they were taken in, from slice to slice.
 */
#include "profile/certainty.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "profile/heap.h"
#include "profile/interned.h"

/* What all units beyond are one of: a recording may have millions of functions. */
#define MOST_UNITS 4096
/* Samples weigh alike if they are worth so much of their number. */
#define LEAST_WORTH 0.9

static const char lack_sampling[] = "none: all of it was measured, none of it sampled";
static const char lack_number[] = "not known: nobody says how many samples there were";
static const char lack_mixture[] = "not known: a part of it is measured, a part is sampled";
static const char lack_weights[] =
	"not known: samples weigh differently, and there are no intervals to compare";
static const char lack_blocks[] =
	"not known: how many blocks there were is guessed from samples of bytes";
static const char lack_period[] =
	"not known: nobody says how many bytes are between samples, or files differ in it";
static const char lack_samples[] = "none: there are no samples";

/* ---- what is sampled ---- */

static bool is_rated(const struct recording *recording)
{
	return recording->asked_hz > 0;
}

/* Each event is counted, and all time that it took. */
static bool is_exact(const struct recording *recording)
{
	return recording->facts[FACT_EVENT] && !is_rated(recording) && recording->period <= 1 &&
	       recording->thinned.one_in <= 1;
}

bool certainty__counts_samples(const struct recording *recording)
{
	const struct metric *count = &profile__metrics(recording->profile)->of[VALUE_COUNT];

	if (!profile__total(recording->profile, VALUE_COUNT))
		return false;
	return !count->name || metric__equal(count, &metric__samples) ||
	       (count->is_events && recording->facts[FACT_EVENT]);
}

static const char *find_heap_lack(const struct recording *recording, enum value value)
{
	if (recording->period == 1)
		return lack_sampling;
	if (!recording->period)
		return lack_period;
	return value == VALUE_COUNT ? lack_blocks : NULL;
}

static const char *find_lack(const struct recording *recording, enum value value)
{
	if (!profile__total(recording->profile, value))
		return lack_samples;
	if (heap__has_blocks(recording))
		return find_heap_lack(recording, value);
	if (is_exact(recording))
		return lack_sampling;
	if (ledger__has_wall(&recording->ledger) && is_rated(recording))
		return lack_mixture;
	if (!certainty__counts_samples(recording))
		return lack_number;
	return NULL;
}

/* ---- how many samples its weights are worth: L. Kish, Survey Sampling (1965), 11.7 ---- */

static double count_worth(const struct profile *profile)
{
	const double weight = (double)profile__total(profile, VALUE_WEIGHT);
	double squares = 0;
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		const double own = (double)samples[i].values[VALUE_WEIGHT];

		squares += own * own / fmax((double)samples[i].values[VALUE_COUNT], 1);
	}
	return squares > 0 ? weight * weight / squares : 0;
}

/* ---- scatter ---- */

/* Samples of the recording by unit and interval. */
struct course {
	const struct recording *recording;
	enum value value;
	double per_value; /* samples that a value is worth */
	size_t ends[MAX_INTERVALS];
	double totals[MAX_INTERVALS];
	size_t nr_intervals;
	uint32_t *units; /* by name */
	size_t nr_units;
	double *counts; /* unit by unit */
};

static double slice_total(const struct course *course, size_t slice)
{
	const struct profile *samples = course->recording->slices[slice];

	return samples ? (double)profile__total(samples, course->value) * course->per_value : 0;
}

static int find_intervals(struct course *course)
{
	const size_t nr_slices = course->recording->nr_slices;
	double *totals = calloc(nr_slices + 1, sizeof(*totals));

	if (!totals)
		return -ENOMEM;
	for (size_t i = 0; i < nr_slices; i++)
		totals[i] = slice_total(course, i);
	course->nr_intervals = join_slices(totals, nr_slices, course->ends);
	for (size_t i = 0, slice = 0; i < course->nr_intervals; i++)
		for (; slice < course->ends[i]; slice++)
			course->totals[i] += totals[slice];
	free(totals);
	return 0;
}

static uint32_t unit_of(struct course *course, uint32_t stack)
{
	const struct dictionary *dictionary = profile__dictionary(course->recording->profile);
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(dictionary, stack, &nr_frames);
	uint32_t *unit =
		&course->units[nr_frames ? dictionary__frame_function_id(dictionary, frames[0])
					 : dictionary->names.nr_items];

	if (*unit == ID_NONE)
		*unit = (uint32_t)(course->nr_units < MOST_UNITS ? course->nr_units++
								 : MOST_UNITS - 1);
	return *unit;
}

static void add_slice(struct course *course, size_t interval, const struct profile *slice)
{
	size_t nr_samples = 0;
	const struct sample *samples = slice ? profile__samples(slice, &nr_samples) : NULL;

	for (size_t i = 0; i < nr_samples; i++)
		course->counts[unit_of(course, samples[i].stack) * course->nr_intervals +
			       interval] +=
			(double)samples[i].values[course->value] * course->per_value;
}

static int measure(struct course *course, struct scatter *scatter)
{
	const struct dictionary *dictionary = profile__dictionary(course->recording->profile);

	course->units = ids__new(dictionary->names.nr_items + 1);
	course->counts = calloc(MOST_UNITS * course->nr_intervals, sizeof(*course->counts));
	if (!course->units || !course->counts)
		return -ENOMEM;
	for (size_t i = 0, slice = 0; i < course->nr_intervals; i++)
		for (; slice < course->ends[i]; slice++)
			add_slice(course, i, course->recording->slices[slice]);
	*scatter = scatter__measure(course->counts, course->nr_units, course->totals,
				    course->nr_intervals);
	return 0;
}

/* Files that were joined are runs, of which few tell something, too: a run has no phases of another. */
static bool has_enough(const struct course *course)
{
	return course->nr_intervals >= (course->recording->slice_times ? 2 : LEAST_INTERVALS);
}

/* Returns over how many intervals, or -ENOMEM. */
static int learn(const struct recording *recording, enum value value, double per_value,
		 struct scatter *scatter)
{
	struct course course = {
		.recording = recording,
		.value = value,
		.per_value = per_value,
	};
	int code = recording->nr_slices ? find_intervals(&course) : 0;

	if (!code && has_enough(&course))
		code = measure(&course, scatter);
	free(course.units);
	free(course.counts);
	return code ? code : (int)course.nr_intervals;
}

/* Its scatter is known, and no course of time tells of it: of a live heap slices are no parts. */
static void init_heap(struct certainty *certainty, const struct recording *recording, double whole)
{
	const struct scatter scatter = scatter__independent();

	*certainty = certainty__of_samples(heap__samples(recording, whole), &scatter);
	certainty->whole = whole;
	certainty->period = (double)recording->period;
}

static int init(struct certainty *certainty, const struct recording *recording, enum value value,
		double whole)
{
	const struct profile *profile = recording->profile;
	const double total = (double)profile__total(profile, value);
	const double samples = (double)profile__total(profile, VALUE_COUNT);
	const double worth = value == VALUE_WEIGHT ? count_worth(profile) : samples;
	struct scatter scatter = scatter__independent();
	int code;

	*certainty = (struct certainty){.lack = find_lack(recording, value)};
	if (certainty->lack)
		return 0;
	if (heap__has_blocks(recording)) {
		init_heap(certainty, recording, whole);
		return 0;
	}
	code = learn(recording, value, samples / total, &scatter);
	if (code < 0)
		return code;
	if (whole > total && recording->scatter.factor > 0)
		scatter = recording->scatter;
	if (worth >= LEAST_WORTH * samples || code >= 2)
		*certainty = certainty__of_samples(samples * whole / total, &scatter);
	else
		certainty->lack = lack_weights;
	certainty->whole = whole;
	return 0;
}

int certainty__init(struct certainty *certainty, const struct recording *recording, uint64_t whole)
{
	const uint64_t total = profile__shown_total(recording->profile);

	return init(certainty, recording, profile__metrics(recording->profile)->shown,
		    (double)(whole ? whole : total));
}

int certainty__init_value(struct certainty *certainty, const struct recording *recording,
			  enum value value)
{
	return init(certainty, recording, value, (double)profile__total(recording->profile, value));
}
