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

static const struct sample **rank(const struct sample *samples, size_t nr_samples, enum value value)
{
	const struct sample **ranked = malloc((nr_samples ? nr_samples : 1) * sizeof(*ranked));
	size_t i;

	if (!ranked)
		return NULL;
	for (i = 0; i < nr_samples; i++)
		ranked[i] = &samples[i];
	qsort_r(ranked, nr_samples, sizeof(*ranked), hottest_first, &value);
	return ranked;
}

static uint32_t add_other_stack(struct dictionary *dictionary)
{
	static const struct frame frame = {.function = "[other stacks]"};
	uint32_t id = dictionary__add_frame(dictionary, &frame);

	return id == ID_NONE ? ID_NONE : dictionary__add_stack(dictionary, &id, 1);
}

/* A process that stands for all of the same program name. */
static uint32_t add_other_process(struct dictionary *dictionary, const struct process *process)
{
	struct process other = {0};

	memcpy(other.comm, process->comm, sizeof(other.comm));
	return dictionary__add_process(dictionary, &other);
}

/*
 * Works in the same dictionary; merging the sum into another one then drops strings and frames
 * without a sample.
 */
static int sum_up(struct profile *sum, const struct sample **ranked, size_t nr_samples,
		  size_t nr_kept)
{
	struct dictionary *dictionary = profile__dictionary(sum);
	uint32_t stack = add_other_stack(dictionary);
	size_t i;
	int err = stack == ID_NONE ? -1 : 0;

	for (i = 0; i < nr_samples && !err; i++) {
		struct sample sample = *ranked[i];

		if (i >= nr_kept) {
			sample.process = add_other_process(
				dictionary, dictionary__process(dictionary, sample.process));
			sample.stack = stack;
			sample.tid = 0;
			sample.thread = 0;
		}
		err = sample.process == ID_NONE ? -1 : profile__add(sum, &sample);
	}
	return err;
}

struct profile *profile__condense(const struct profile *profile, size_t nr_kept,
				  struct dictionary *into)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);
	const struct sample **ranked = rank(samples, nr_samples, profile__metrics(profile)->shown);
	struct profile *sum = profile__new_like(profile, profile__dictionary(profile));
	struct profile *condensed = profile__new_like(profile, into);
	int err = ranked && sum && condensed ? 0 : -1;

	if (!err)
		err = sum_up(sum, ranked, nr_samples, nr_kept);
	if (!err)
		err = profile__merge_by_slice(condensed, sum);
	profile__free(sum);
	free(ranked);
	if (err) {
		profile__free(condensed);
		return NULL;
	}
	return condensed;
}

/*
 * Scales a sample. The weight follows the rounded count, so that each event keeps its weight:
 * rounding makes no differences between samples.
 */
static void scale_sample(struct sample *sample, double factor, enum value shown)
{
	const double count = (double)sample->values[VALUE_COUNT];
	double weight_factor = factor;

	sample->values[VALUE_COUNT] = (uint64_t)llround(count * factor);
	if (shown == VALUE_COUNT && count > 0)
		weight_factor = (double)sample->values[VALUE_COUNT] / count;
	sample->values[VALUE_WEIGHT] =
		(uint64_t)llround((double)sample->values[VALUE_WEIGHT] * weight_factor);
	sample->squares *= factor;
}

struct profile *profile__scale(const struct profile *profile, double factor, uint64_t least)
{
	struct profile *made = profile__new_like(profile, profile__dictionary(profile));
	const enum value shown = profile__metrics(profile)->shown;
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; made && i < nr_samples; i++) {
		struct sample sample = samples[i];

		scale_sample(&sample, factor, shown);
		if (sample.values[shown] < least || !profile__add(made, &sample))
			continue;
		profile__free(made);
		return NULL;
	}
	return made;
}
