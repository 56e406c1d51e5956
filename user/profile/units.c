// SPDX-License-Identifier: GPL-2.0-only
/*
 * Converts the values of two recordings to common units, before they are added up. The finer unit
 * is used, as it holds both: nanoseconds for milliseconds. Whole numbers and fractions of one
 * metric get the smaller decimal unit: 3 and 0.25 become 300 and 25 of "/100 count".
 */

#include "profile/recording.h"

/* Makes value `to` of value `from`, factor times as large. metrics: of the result. */
static void scale_profile(struct profile **profile, enum value from, enum value to, uint64_t factor,
			  const struct metrics *metrics)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(*profile, &nr_samples);
	struct profile *scaled = profile__new(profile__dictionary(*profile));

	profile__set_metrics(scaled, metrics);
	for (size_t i = 0; i < nr_samples; i++) {
		struct sample sample = samples[i];

		sample.values[from] = 0;
		sample.values[to] = samples[i].values[from] * factor;
		if (to == VALUE_WEIGHT)
			sample.squares *= (double)factor * (double)factor;
		profile__add(scaled, &sample);
	}
	profile__free(*profile);
	*profile = scaled;
}

/*
 * The recording's only metric. NULL: it has several values, events or slices; text with fractions,
 * the only such input, never has.
 */
static const struct metric *only_metric(const struct recording *recording)
{
	const struct metrics *metrics = profile__metrics(recording->profile);

	if (recording->more || recording->nr_slices || metrics__other(metrics)->name)
		return NULL;
	return metrics__shown(metrics)->name ? metrics__shown(metrics) : NULL;
}

void recording__align_decimals(struct recording *recording, struct recording *more)
{
	const struct metric *a = only_metric(recording), *b = only_metric(more);
	struct metrics fine = {.shown = VALUE_WEIGHT};
	struct recording *coarse;
	uint64_t factor = 1;
	int missing;

	if (!a || !b || strcmp(a->name, b->name) != 0 ||
	    strcmp(metric__whole_unit(a), metric__whole_unit(b)) != 0)
		return;
	missing = metric__decimals(b) - metric__decimals(a);
	coarse = missing > 0 ? recording : more;
	fine.of[VALUE_WEIGHT] = missing > 0 ? *b : *a;
	for (int i = 0; i < abs(missing); i++)
		factor *= 10;
	if (missing && profile__shown_total(coarse->profile) <= UINT64_MAX / factor)
		scale_profile(&coarse->profile, profile__metrics(coarse->profile)->shown,
			      VALUE_WEIGHT, factor, &fine);
}

/*
 * Converts an event to a finer unit: factor units make one of the old ones. Nothing changes if the
 * values are too large.
 */
static void scale_event(struct recording *event, enum value value, uint64_t factor,
			const char *unit)
{
	struct metrics metrics = *profile__metrics(event->profile);

	if (profile__total(event->profile, value) > INT64_MAX / factor)
		return;
	metrics.of[value] = metric__named(metrics.of[value].name, unit);
	for (size_t i = 0; i <= event->nr_slices; i++) {
		struct profile **profile = i ? &event->slices[i - 1] : &event->profile;

		if (*profile)
			scale_profile(profile, value, value, factor, &metrics);
	}
	if (value == VALUE_WEIGHT)
		event->period = event->period <= UINT64_MAX / factor ? event->period * factor : 0;
}

static void share_unit(struct recording *a, struct recording *b, enum value value)
{
	const struct metric *left = &profile__metrics(a->profile)->of[value];
	const struct metric *right = &profile__metrics(b->profile)->of[value];
	uint64_t factor;

	if (!left->name || !right->name || strcmp(left->name, right->name) != 0 ||
	    !strcmp(left->unit, right->unit))
		return;
	factor = metric__units_in(right->unit, left->unit);
	if (factor) {
		scale_event(b, value, factor, left->unit);
		return;
	}
	factor = metric__units_in(left->unit, right->unit);
	if (factor)
		scale_event(a, value, factor, right->unit);
}

void recording__share_units(struct recording *recording, struct recording *more)
{
	for (; recording && more; recording = recording->more, more = more->more)
		for (enum value value = 0; value < VALUES; value++)
			share_unit(recording, more, value);
}
