// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds out whether a recording is sampled, how many samples there are, and how far they scatter:
 * from the number of samples of each leaf function, from slice to slice.
 */
#include "profile/certainty.h"

#include <math.h>

#include "profile/interned.h"
#include "profile/recording.h"

/* All further units share the last one: a recording may have millions of functions. */
#define MOST_UNITS 4096
/* If samples are worth at least this part of their number, they weigh alike. */
#define LEAST_WORTH 0.9

static const char lack_sampling[] = "none: all of it was measured, none of it sampled";
static const char lack_number[] = "not known: the files do not say how many samples there were";
static const char lack_mixture[] = "not known: a part of it is measured, a part is sampled";
static const char lack_weights[] =
	"not known: samples weigh differently, and there are no intervals to compare";
static const char lack_blocks[] =
	"not known: how many blocks there were is guessed from samples of bytes";
static const char lack_period[] =
	"not known: the files do not say how many bytes are between samples, or differ in it";
static const char lack_samples[] = "none: there are no samples";

/* ---- why there are no bounds ---- */

static bool is_rated(const struct recording *recording)
{
	return recording->asked_hz > 0;
}

bool certainty__counts_samples(const struct recording *recording)
{
	const struct metric *count = &profile__metrics(recording->profile)->of[VALUE_COUNT];

	if (!profile__total(recording->profile, VALUE_COUNT))
		return false;
	return !count->name || metric__equal(count, &metric__samples) ||
	       (count->is_events && recording->facts[FACT_EVENT]);
}

static const char *find_lack(const struct recording *recording, enum value value)
{
	if (!profile__total(recording->profile, value))
		return lack_samples;
	if (heap__has_blocks(recording)) {
		if (recording->period == 1)
			return lack_sampling;
		if (!recording->period)
			return lack_period;
		return value == VALUE_COUNT ? lack_blocks : NULL;
	}
	/* Every event is recorded, with all the time that it took. */
	if (recording->facts[FACT_EVENT] && !is_rated(recording) && recording->period <= 1 &&
	    recording->thinned.one_in <= 1)
		return lack_sampling;
	if (ledger__has_wall(&recording->ledger) && is_rated(recording))
		return lack_mixture;
	return certainty__counts_samples(recording) ? NULL : lack_number;
}

/* ---- sums of squares ---- */

/*
 * The number of equally weighted samples that are as informative follows from the sum of squares:
 * L. Kish, Survey Sampling (1965), 11.7.
 */
static double squares_of(const struct profile *profile, enum value value)
{
	return value == VALUE_WEIGHT ? profile__squares(profile)
				     : (double)profile__total(profile, value);
}

/*
 * Samples per unit of value, each slice by its own weights, as the rate may change from slice to
 * slice.
 */
static double per_value(const struct profile *profile, enum value value)
{
	const double squares = squares_of(profile, value);

	return squares > 0 ? (double)profile__total(profile, value) / squares : 0;
}

/* ---- scatter ---- */

/* Samples of the recording by unit and interval. */
struct course {
	const struct recording *recording;
	size_t ends[MAX_INTERVALS];
	double totals[MAX_INTERVALS];
	size_t nr_intervals;
	uint32_t *units; /* by name; index nr_items: stacks without frames */
	size_t nr_units;
	double *counts; /* nr_intervals for each unit */
};

static void add_slice(struct course *course, size_t interval, const struct profile *slice,
		      enum value value)
{
	const struct dictionary *dictionary = profile__dictionary(course->recording->profile);
	const double worth = per_value(slice, value);
	size_t nr_samples, nr_frames;
	const struct sample *samples = profile__samples(slice, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		const uint32_t *frames =
			dictionary__stack(dictionary, samples[i].stack, &nr_frames);
		uint32_t *unit = &course->units[nr_frames ? dictionary__frame_function_id(
								    dictionary, frames[0])
							  : dictionary->names.nr_items];

		if (*unit == ID_NONE)
			*unit = (uint32_t)(course->nr_units < MOST_UNITS ? course->nr_units++
									 : MOST_UNITS - 1);
		course->counts[*unit * course->nr_intervals + interval] +=
			(double)samples[i].values[value] * worth;
	}
}

/*
 * Returns the number of intervals. One run needs LEAST_INTERVALS. The slices of joined files are
 * whole runs: two of these are enough, as different runs are no phases of each other.
 */
static size_t learn(const struct recording *recording, enum value value, struct scatter *scatter)
{
	const size_t nr_names = profile__dictionary(recording->profile)->names.nr_items;
	struct course course = {.recording = recording};
	double *totals = xcalloc(recording->nr_slices + 1, sizeof(*totals));

	for (size_t i = 0; i < recording->nr_slices; i++)
		if (recording->slices[i])
			totals[i] = (double)profile__total(recording->slices[i], value) *
				    per_value(recording->slices[i], value);
	course.nr_intervals = join_slices(totals, recording->nr_slices, course.ends);
	for (size_t i = 0, slice = 0; i < course.nr_intervals; i++)
		for (; slice < course.ends[i]; slice++)
			course.totals[i] += totals[slice];
	free(totals);
	if (course.nr_intervals < (recording->slice_times ? 2 : LEAST_INTERVALS))
		return course.nr_intervals;

	course.units = ids__new(nr_names + 1);
	course.counts = xcalloc(MOST_UNITS * course.nr_intervals, sizeof(*course.counts));
	for (size_t i = 0, slice = 0; i < course.nr_intervals; i++)
		for (; slice < course.ends[i]; slice++)
			if (recording->slices[slice])
				add_slice(&course, i, recording->slices[slice], value);
	*scatter = scatter__measure(course.counts, course.nr_units, course.totals,
				    course.nr_intervals);
	free(course.units);
	free(course.counts);
	return course.nr_intervals;
}

/* whole: the value that is 100 %. The profile may be a chosen part of it. */
static void init(struct certainty *certainty, const struct recording *recording, enum value value,
		 double whole)
{
	const struct profile *profile = recording->profile;
	const double count = (double)profile__total(profile, VALUE_COUNT);
	const double weight = (double)profile__total(profile, VALUE_WEIGHT);
	const double worth = weight * weight / fmax(profile__squares(profile), 1);
	struct scatter scatter = scatter__independent();
	size_t nr_intervals;
	double part;

	*certainty = (struct certainty){.lack = find_lack(recording, value)};
	if (certainty->lack)
		return;

	/*
	 * Heap samples are independent by construction, so nothing is learned from slices: in a
	 * live heap these are not parts of the whole.
	 */
	if (heap__has_blocks(recording)) {
		*certainty = certainty__of_samples(heap__samples(recording, whole), &scatter);
		certainty->whole = whole;
		certainty->squares = whole * (double)recording->period;
		certainty->period = (double)recording->period;
		return;
	}

	/*
	 * Weights are known if samples stand for them. Others, such as waits, vary by chance as
	 * well; that can only be learned from several intervals, unless all weigh about the same.
	 */
	nr_intervals = learn(recording, value, &scatter);
	if (value != VALUE_COUNT && !metrics__stand_for_weight(profile__metrics(profile)) &&
	    nr_intervals < 2 && worth < LEAST_WORTH * count) {
		*certainty = (struct certainty){.lack = lack_weights, .whole = whole};
		return;
	}

	/* The recording has the scatter and the squares of all, if only a part was chosen. */
	part = whole / (double)profile__total(profile, value);
	if (whole > (double)profile__total(profile, value) && recording->scatter.factor > 0)
		scatter = recording->scatter;
	*certainty = certainty__of_samples(count * part, &scatter);
	certainty->whole = whole;
	certainty->weighs = value == VALUE_WEIGHT;
	certainty->squares = squares_of(profile, value) * part;
	if (part > 1 && recording->squares > 0)
		certainty->squares = recording->squares;
}

void certainty__init(struct certainty *certainty, const struct recording *recording, uint64_t whole)
{
	const uint64_t total = profile__shown_total(recording->profile);

	init(certainty, recording, profile__metrics(recording->profile)->shown,
	     (double)(whole ? whole : total));
}

void certainty__init_value(struct certainty *certainty, const struct recording *recording,
			   enum value value)
{
	init(certainty, recording, value, (double)profile__total(recording->profile, value));
}
