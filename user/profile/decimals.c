// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whole numbers and fractions of one thing are added up in the smallest decimal of both, as 3 and 0.25 are
 * 300 and 25 of "/100 count".
 */
#include <stdlib.h>
#include <string.h>

#include "profile/recording.h"

/* NULL: it has more than one value, or it is of slices, as no text with fractions is. */
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

/* Exchanges the profile for one whose numbers are factor times as large. 0 or -ENOMEM. */
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
