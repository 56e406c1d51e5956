// SPDX-License-Identifier: GPL-2.0-only
/* The properties of a row beside its count: share, change, past, and hottest stack. */
#include "live/live.h"

#include <math.h>

#include "profile/recording.h"

uint64_t live__whole(const struct live *live)
{
	return live->picture ? profile__shown_total(live->picture->recording.profile) : 0;
}

uint64_t live__let_through(const struct live *live)
{
	return live->profile ? profile__shown_total(live->profile) : 0;
}

const struct profile *live__listed(const struct live *live)
{
	return live->others ? live->others : live->profile;
}

double live__percent(const struct live *live, uint64_t value)
{
	uint64_t whole = live__whole(live);

	return whole ? 100.0 * (double)value / (double)whole : 0;
}

bool live__is_frozen(const struct live *live)
{
	return live->history.held[HELD_FROZEN].number;
}

bool live__is_comparing(const struct live *live)
{
	return live->history.held[HELD_BASELINE].number;
}

/*
 * A share in percent, and the approximate variance of a Poisson count in relation to the whole.
 * unit: the value of one sample, so that weights do not look like numbers of events.
 */
struct share {
	double percent, variance;
};

static struct share share_of(uint64_t value, uint64_t whole, double unit)
{
	double count = (double)value / unit, all = (double)whole / unit;

	if (all <= 0)
		return (struct share){0, 0};
	return (struct share){100 * count / all, 1e4 * count / (all * all)};
}

double live__sample_weight(const struct live *live)
{
	const struct recording *recording = &live->picture->recording;
	const struct profile *profile = recording->profile;
	const uint64_t count = profile__total(profile, VALUE_COUNT);
	const uint64_t shown = profile__shown_total(profile);

	if (metrics__shown(profile__metrics(profile))->is_events || !count || !shown)
		return 1;
	if (heap__has_blocks(recording) && recording->period)
		return (double)recording->period;
	return (double)shown / (double)count;
}

bool live__change(const struct live *live, const struct live_row *row, double *percent,
		  bool *is_noise)
{
	const struct series *before = &live->past[1], *present = &live->past[0];
	const double unit = live->picture ? live__sample_weight(live) : 1;
	struct share now, then;

	if (live__is_comparing(live)) {
		before = &live->baseline;
		now = share_of(row__value(row, &live->selection), live__whole(live),
			       live->unit * unit);
	} else {
		if (!before->number || !present->number)
			return false;
		now = share_of(series__value(present, row->id), present->whole, unit);
	}
	then = share_of(series__value(before, row->id), before->whole,
			unit * (live__is_comparing(live) ? live->baseline_unit : 1));
	*percent = now.percent - then.percent;
	*is_noise = fabs(*percent) <= ORDER_NOISE * sqrt(now.variance + then.variance);
	return true;
}

bool live__is_new(const struct live *live, uint64_t id)
{
	size_t nr = 0;

	if (live->picture && live->past[0].number && !series__find(&live->past[0], id))
		return false;
	for (size_t i = 1; i < MOST_PAST && live->past[i].number; i++, nr++)
		if (series__find(&live->past[i], id))
			return false;
	return nr > 0;
}

size_t live__spark(const struct live *live, uint64_t id, double *busy)
{
	size_t nr = 0;

	while (nr < MOST_PAST && live->past[nr].number)
		nr++;
	for (size_t i = 0; i < nr; i++) {
		const struct series *series = &live->past[nr - 1 - i];

		/* Without a rate, this is the share of the interval. */
		const double whole =
			series->expected > 0 ? series->expected : (double)series->whole;

		busy[i] = whole > 0 ? (double)series__value(series, id) / whole : 0;
	}
	return nr;
}

/* All stacks with the same names, regardless of their addresses. */
struct stack_of_names {
	struct map_number id;
	struct sample sample; /* its hottest sample */
	uint64_t count;
};

/* Adds the samples to their stacks and finds the hottest stack. */
static void find_hottest(struct live *live, const struct row_place *place)
{
	const bool is_idle = place->id == ROW_ID_IDLE;
	const struct profile *profile = is_idle ? live->idle : live__listed(live);
	const enum value shown = profile__metrics(profile)->shown;
	const struct dictionary *dictionary = profile__dictionary(live->profile);
	struct hottest_stack *hottest = &live->hottest;
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);
	struct map stacks;

	row_ids__prepare(&live->ids, dictionary);
	map__init_numbers(&stacks, free);
	for (size_t i = 0; i < nr_samples; i++) {
		const struct sample *sample = &samples[i];
		const uint64_t value = sample->values[shown];
		struct stack_of_names *stack;
		uint64_t id;

		if (!is_idle && !row_place__has(place, &live->ids, sample))
			continue;
		id = row_id__of_owner(dictionary, sample->process, sample->tid,
				      live->selection.merge);
		id = row_ids__stack(&live->ids, id, sample->stack);
		stack = map__find_number(&stacks, id);
		if (!stack)
			stack = map__add_number(&stacks, id, sizeof(*stack));
		if (!stack->count || value > stack->sample.values[shown])
			stack->sample = *sample;
		stack->count += value;
		hottest->whole += value;
		if (stack->count <= hottest->count)
			continue;
		hottest->count = stack->count;
		hottest->sample = stack->sample;
	}
	map__fini(&stacks);
	live->hottest_place = *place;
}

bool live__hottest(struct live *live, const struct row_place *place, struct hottest_stack *hottest)
{
	if (live->hottest_place.id != place->id || place->id == ROW_ID_NONE) {
		live->hottest = (struct hottest_stack){0};
		if (live->profile)
			find_hottest(live, place);
	}
	*hottest = live->hottest;
	return hottest->whole > 0;
}
