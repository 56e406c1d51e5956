// SPDX-License-Identifier: GPL-2.0-only
/*
 * Converts the values of two recordings to common units. The finer unit is used, as it holds both:
 * nanoseconds for milliseconds.
 */

#include "profile/recording.h"

/*
 * Whole numbers and fractions of one metric are added up in the smaller decimal unit: 3 and 0.25
 * become 300 and 25 of "/100 count".
 */

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

static bool has_room(const struct profile *profile, uint64_t factor)
{
	return profile__shown_total(profile) <= UINT64_MAX / factor;
}

/* Replaces the profile by one with values factor times as large, as weights. 0 or -ENOMEM. */
static int multiply(struct recording *recording, const struct metric *metric, uint64_t factor)
{
	const enum value shown = profile__metrics(recording->profile)->shown;
	struct profile *scaled = profile__new(profile__dictionary(recording->profile));
	struct metrics metrics = {.of = {[VALUE_WEIGHT] = *metric}, .shown = VALUE_WEIGHT};
	size_t nr_samples;
	const struct sample *samples = profile__samples(recording->profile, &nr_samples);
	int code = scaled ? profile__set_metrics(scaled, &metrics) : -ENOMEM;

	for (size_t i = 0; i < nr_samples && !code; i++) {
		struct sample sample = samples[i];

		memset(sample.values, 0, sizeof(sample.values));
		sample.values[VALUE_WEIGHT] = samples[i].values[shown] * factor;
		code = profile__add(scaled, &sample);
	}
	if (code) {
		profile__free(scaled);
		return code;
	}
	profile__free(recording->profile);
	recording->profile = scaled;
	return 0;
}

int recording__align_decimals(struct recording *recording, struct recording *more)
{
	const struct metric *a = only_metric(recording), *b = only_metric(more);
	struct recording *coarse;
	struct metric fine;
	uint64_t factor = 1;
	int missing;

	if (!a || !b || strcmp(a->name, b->name) != 0 ||
	    strcmp(metric__whole_unit(a), metric__whole_unit(b)) != 0)
		return 0;
	missing = metric__decimals(b) - metric__decimals(a);
	coarse = missing > 0 ? recording : more;
	fine = missing > 0 ? *b : *a;
	for (int i = 0; i < abs(missing); i++)
		factor *= 10;
	if (!missing || !has_room(coarse->profile, factor))
		return 0;
	return multiply(coarse, &fine, factor);
}

static int scale_profile(struct profile **profile, enum value value, uint64_t factor,
			 const struct metrics *metrics)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(*profile, &nr_samples);
	struct profile *scaled = profile__new_like(*profile, profile__dictionary(*profile));
	int code = scaled ? profile__set_metrics(scaled, metrics) : -ENOMEM;

	for (size_t i = 0; i < nr_samples && !code; i++) {
		struct sample sample = samples[i];

		sample.values[value] *= factor;
		if (value == VALUE_WEIGHT)
			sample.squares *= (double)factor * (double)factor;
		code = profile__add(scaled, &sample);
	}
	if (code) {
		profile__free(scaled);
		return code;
	}
	profile__free(*profile);
	*profile = scaled;
	return 0;
}

/*
 * Converts an event to a finer unit: factor units make one of the old ones. -ERANGE, and nothing
 * changes: the values are too large.
 */
static int scale_event(struct recording *event, enum value value, uint64_t factor, const char *unit)
{
	struct metrics metrics = *profile__metrics(event->profile);
	int code = 0;

	if (profile__total(event->profile, value) > INT64_MAX / factor)
		return -ERANGE;
	metrics.of[value] = metric__named(metrics.of[value].name, unit);
	for (size_t i = 0; i <= event->nr_slices && !code; i++) {
		struct profile **profile = i ? &event->slices[i - 1] : &event->profile;

		if (*profile)
			code = scale_profile(profile, value, factor, &metrics);
	}
	if (value == VALUE_WEIGHT)
		event->period = event->period <= UINT64_MAX / factor ? event->period * factor : 0;
	return code;
}

static int share_unit(struct recording *a, struct recording *b, enum value value)
{
	const struct metric *left = &profile__metrics(a->profile)->of[value];
	const struct metric *right = &profile__metrics(b->profile)->of[value];
	uint64_t factor;

	if (!left->name || !right->name || strcmp(left->name, right->name) != 0 ||
	    !strcmp(left->unit, right->unit))
		return 0;
	factor = metric__units_in(right->unit, left->unit);
	if (factor)
		return scale_event(b, value, factor, left->unit);
	factor = metric__units_in(left->unit, right->unit);
	return factor ? scale_event(a, value, factor, right->unit) : 0;
}

int recording__share_units(struct recording *recording, struct recording *more)
{
	int code = 0;

	for (; recording && more && code != -ENOMEM; recording = recording->more, more = more->more)
		for (enum value value = 0; value < VALUES && code != -ENOMEM; value++)
			code = share_unit(recording, more, value);
	return code == -ENOMEM ? code : 0;
}
