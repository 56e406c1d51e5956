// SPDX-License-Identifier: GPL-2.0-only
#include "diff/matching/weight_counts.h"

#include <math.h>

/* Smaller functions are not judged by themselves: part of the whole weight. */
#define LEAST_SHARE 0.0025

/* The largest mean weight of a sample, by function; each sample counts as often as it weighs. */
static double find_heaviest(const struct profile *profile)
{
	const double whole = (double)profile__total(profile, VALUE_WEIGHT);
	double heaviest = profile__squares(profile) / whole;
	struct group_row *groups;
	const long nr = profile__group(profile, GROUP_BY_FUNCTION, SORT_BY_NAME, &groups);

	for (long i = 0; i < nr; i++) {
		const struct group_row *group = &groups[i];

		if ((double)group->self >= LEAST_SHARE * whole)
			heaviest = fmax(heaviest, group->self_squares / (double)group->self);
		if ((double)group->total >= LEAST_SHARE * whole)
			heaviest = fmax(heaviest, group->total_squares / (double)group->total);
	}
	free(groups);
	return heaviest;
}

/*
 * Sets counts: weights divided by each. The remainder is carried to the next sample, so that
 * nothing is lost in many small ones.
 */
static struct profile *count_weights(const struct profile *profile, double each)
{
	struct profile *made = profile__new_like(profile, profile__dictionary(profile));
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);
	double rest = 0.5;

	for (size_t i = 0; i < nr_samples; i++) {
		struct sample sample = samples[i];
		double whole;

		rest = modf((double)sample.values[VALUE_WEIGHT] / each + rest, &whole);
		sample.values[VALUE_COUNT] = (uint64_t)whole;
		profile__add(made, &sample);
	}
	profile__show(made, VALUE_COUNT);
	return made;
}

void weight_counts__make(struct recording *recording)
{
	double each;

	if (!profile__is_spent(recording->profile))
		return;
	each = find_heaviest(recording->profile);
	for (size_t i = 0; i < recording->nr_slices; i++) {
		struct profile *slice = recording->slices[i];

		if (!slice)
			continue;
		recording->slices[i] = count_weights(slice, each);
		profile__free(slice);
	}
	recording->period = (uint64_t)llround(each);
	recording__replace_profile(recording, count_weights(recording->profile, each));
}
