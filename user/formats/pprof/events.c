// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file of several events has each stack once, with the values of all events. No merged profile is
 * made for that: a sample is written with the first event that has it, and its values are looked up
 * in the others.
 */

#include "formats/pprof/pprof.h"

struct recording *pprof__order(const struct recording *recording)
{
	const struct metric *of_live = &metrics__live.of[VALUE_COUNT];
	struct recording *events = xcalloc(recording__nr_events(recording), sizeof(*events));
	size_t nr = 0;

	for (int live = 0; live < 2; live++)
		for (const struct recording *event = recording; event; event = event->more)
			if (metric__equal(&profile__metrics(event->profile)->of[VALUE_COUNT],
					  of_live) == live)
				events[nr++] = *event;
	for (size_t i = 0; i < nr; i++)
		events[i].more = i + 1 < nr ? &events[i + 1] : NULL;
	return events;
}

size_t pprof__nr_slices(const struct recording *recording)
{
	size_t nr = 0;

	for (; recording; recording = recording->more)
		nr = recording->nr_slices > nr ? recording->nr_slices : nr;
	return nr;
}

const struct profile *pprof__slice(const struct recording *event, int64_t slice)
{
	if (slice < 0)
		return event->profile;
	return (size_t)slice < event->nr_slices ? event->slices[slice] : NULL;
}

static const struct sample *find(const struct recording *event, const struct sample *sample,
				 int64_t slice)
{
	const struct profile *profile = pprof__slice(event, slice);

	return profile ? profile__find(profile, sample) : NULL;
}

bool pprof__is_first(const struct recording *recording, const struct recording *event,
		     const struct sample *sample, int64_t slice)
{
	for (; recording != event; recording = recording->more)
		if (find(recording, sample, slice))
			return false;
	return true;
}

size_t pprof__fill_values(const struct recording *recording, const struct sample *sample,
			  int64_t slice, int64_t *values)
{
	/* the only event has the sample: no look-up needed */
	const bool is_only = !recording->more;
	size_t nr = 0;

	for (; recording; recording = recording->more) {
		const struct metrics *metrics = profile__metrics(recording->profile);
		const struct sample *found = is_only ? sample : find(recording, sample, slice);

		for (int value = 0; value < VALUES; value++)
			if (metrics->of[value].name)
				values[nr++] = found ? pprof__clamp(found->values[value]) : 0;
	}
	return nr;
}

/*
 * Squares must be written if they are larger than values alone imply, by more than the periods of
 * CPUs differ. Only for weights that samples stand for; those of waits and the like say nothing
 * about certainty.
 */
size_t pprof__fill_squares(const struct recording *recording, const struct sample *sample,
			   int64_t slice, double *squares)
{
	const bool is_only = !recording->more;
	bool are_told = false;
	size_t nr = 0;

	for (; recording; recording = recording->more) {
		const struct sample *found = is_only ? sample : find(recording, sample, slice);
		const double weight = found ? (double)found->values[VALUE_WEIGHT] : 0;

		are_told |= found &&
			    metrics__stand_for_weight(profile__metrics(recording->profile)) &&
			    found->squares * (double)found->values[VALUE_COUNT] >
				    weight * weight * (1 + EQUAL_WEIGHTS);
		squares[nr++] = found ? found->squares : 0;
	}
	return are_told ? nr : 0;
}
