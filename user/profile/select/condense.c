// SPDX-License-Identifier: GPL-2.0-only
/* A profile of bounded size: hot samples keep their stacks, rare ones only their counts. */
#include <math.h>

#include "profile/profile.h"

static int hottest_first(const void *left, const void *right, void *shown)
{
	const enum value value = *(const enum value *)shown;
	uint64_t a = (*(const struct sample *const *)left)->values[value];
	uint64_t b = (*(const struct sample *const *)right)->values[value];

	return (a < b) - (a > b);
}

/*
 * Sums up in the same dictionary first; merging the sum into another one then drops strings and
 * frames without a sample.
 */
struct profile *profile__condense(const struct profile *profile, size_t nr_kept,
				  struct dictionary *into)
{
	static const struct frame others = {.function = "[other stacks]"};
	struct dictionary *dictionary = profile__dictionary(profile);
	enum value shown = profile__metrics(profile)->shown;
	const uint32_t frame = dictionary__add_frame(dictionary, &others);
	const uint32_t stack = dictionary__add_stack(dictionary, &frame, 1);
	struct profile *sum = profile__new_like(profile, dictionary);
	struct profile *condensed = profile__new_like(profile, into);
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);
	const struct sample **ranked = xmalloc((nr_samples + 1) * sizeof(*ranked));

	for (size_t i = 0; i < nr_samples; i++)
		ranked[i] = &samples[i];
	qsort_r(ranked, nr_samples, sizeof(*ranked), hottest_first, &shown);
	for (size_t i = 0; i < nr_samples; i++) {
		struct sample sample = *ranked[i];
		struct process other = {0}; /* stands for all processes of one program name */

		if (i >= nr_kept) {
			memcpy(other.comm, dictionary__process(dictionary, sample.process)->comm,
			       sizeof(other.comm));
			sample.process = dictionary__add_process(dictionary, &other);
			sample.stack = stack;
			sample.tid = 0;
			sample.thread = 0;
		}
		profile__add(sum, &sample);
	}
	profile__merge_by_slice(condensed, sum);
	profile__free(sum);
	free(ranked);
	return condensed;
}

/*
 * The weight follows the rounded count, so that each event keeps its weight: rounding makes no
 * differences between samples.
 */
struct profile *profile__scale(const struct profile *profile, double factor, uint64_t least)
{
	struct profile *made = profile__new_like(profile, profile__dictionary(profile));
	const enum value shown = profile__metrics(profile)->shown;
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		struct sample sample = samples[i];
		const double count = (double)sample.values[VALUE_COUNT];
		const double weight = (double)sample.values[VALUE_WEIGHT];
		double weight_factor = factor;

		sample.values[VALUE_COUNT] = (uint64_t)llround(count * factor);
		if (shown == VALUE_COUNT && count > 0)
			weight_factor = (double)sample.values[VALUE_COUNT] / count;
		sample.values[VALUE_WEIGHT] = (uint64_t)llround(weight * weight_factor);
		sample.squares *= factor;
		if (sample.values[shown] >= least)
			profile__add(made, &sample);
	}
	return made;
}
