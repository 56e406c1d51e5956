// SPDX-License-Identifier: GPL-2.0-only
/* What is told of a row beside its count: share, change, past, and where it comes from. */
#include "live/live.h"

#include <math.h>

uint64_t live__whole(const struct live *live)
{
	return live->picture ? profile__shown_total(live->picture->recording.profile) : 0;
}

uint64_t live__let_through(const struct live *live)
{
	return live->profile ? profile__shown_total(live->profile) : 0;
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

/* A share of samples, and what its variance is about: of a Poisson count, by the whole. */
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

bool live__change(const struct live *live, const struct live_row *row, double *percent,
		  bool *is_noise)
{
	const struct series *before = &live->past[1], *present = &live->past[0];
	struct share now, then;

	if (live__is_comparing(live)) {
		before = &live->baseline;
		now = share_of(row__value(row, &live->selection), live__whole(live), live->unit);
	} else {
		if (!before->number || !present->number)
			return false;
		now = share_of(series__value(present, row->id), present->whole, 1);
	}
	then = share_of(series__value(before, row->id), before->whole,
			live__is_comparing(live) ? live->baseline_unit : 1);
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

		busy[i] = series->expected > 0
				  ? (double)series__value(series, id) / series->expected
				  : 0;
	}
	return nr;
}

static void find_hottest(struct live *live, const struct row_place *place)
{
	const struct sample *samples;
	enum value shown;
	size_t nr_samples;
	uint64_t most = 0;

	live->hottest.place = *place;
	live->hottest.count = 0;
	if (!live->profile || row_ids__prepare(&live->ids, profile__dictionary(live->profile)))
		return;
	shown = profile__metrics(live->profile)->shown;
	samples = profile__samples(live->profile, &nr_samples);
	for (size_t i = 0; i < nr_samples; i++) {
		uint64_t value = samples[i].values[shown];

		if (!row_place__has(place, &live->ids, &samples[i]))
			continue;
		live->hottest.count += value;
		if (value <= most)
			continue;
		most = value;
		live->hottest.sample = samples[i];
	}
}

bool live__hottest(struct live *live, const struct row_place *place, struct sample *hottest,
		   uint64_t *count)
{
	if (live->hottest.place.id != place->id || place->id == ROW_ID_NONE)
		find_hottest(live, place);
	*hottest = live->hottest.sample;
	*count = live->hottest.count;
	return live->hottest.count > 0;
}
