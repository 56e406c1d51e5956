// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profile: values per (process, thread, stack, wait, slice of time), under each name that the
 * thread had. A sample begins with its key, which the index finds, so that a run of many intervals
 * takes little more for each of their samples than its values.
 */
#include "profile/profile.h"

#include <math.h>
#include <stddef.h>

#include "profile/interned.h"

#define KEY_BYTES   offsetof(struct sample, values) /* process, stack, tid, thread, wait, slice */
#define FIRST_SLOTS 64				    /* a power of two, as it doubles */

/*
 * Smallest differences in weight that count, as squared coefficients of variation: of rounding in
 * sums; and of a weight rounded to whole units, a part of a squared unit.
 */
#define LEAST_DIFFERENCE 1e-9
#define UNIT_ROUNDING	 0.1

struct profile {
	struct dictionary *dictionary;
	struct metrics metrics; /* strings are the dictionary's */
	struct sample *samples;
	size_t nr_samples, capacity;
	uint32_t *slots; /* numbers of samples, at the hash of their key or behind; ID_NONE: free */
	size_t nr_slots;
	uint32_t seed;
	uint64_t totals[VALUES];
	double squares; /* sum of squared weights, as in a sample */
	bool has_waits;
};

struct profile *profile__new(struct dictionary *dictionary)
{
	struct profile *profile = xcalloc(1, sizeof(*profile));

	dictionary->references++;
	profile->dictionary = dictionary;
	return profile;
}

struct profile *profile__new_like(const struct profile *profile, struct dictionary *dictionary)
{
	struct profile *made = profile__new(dictionary);

	profile__set_metrics(made, &profile->metrics);
	return made;
}

void profile__clear(struct profile *profile)
{
	free(profile->slots);
	profile->slots = NULL;
	profile->nr_samples = profile->nr_slots = 0;
	memset(profile->totals, 0, sizeof(profile->totals));
	profile->squares = 0;
	profile->has_waits = false;
}

void profile__free(struct profile *profile)
{
	if (!profile)
		return;
	free(profile->slots);
	free(profile->samples);
	dictionary__free(profile->dictionary);
	free(profile);
}

struct dictionary *profile__dictionary(const struct profile *profile)
{
	return profile->dictionary;
}

void profile__set_metrics(struct profile *profile, const struct metrics *metrics)
{
	profile->metrics = *metrics;
	for (int value = 0; value < VALUES; value++) {
		struct metric *metric = &profile->metrics.of[value];

		metric->name = dictionary__keep(profile->dictionary, metric->name);
		metric->unit = dictionary__keep(profile->dictionary, metric->unit);
	}
}

const struct metrics *profile__metrics(const struct profile *profile)
{
	return &profile->metrics;
}

void profile__show(struct profile *profile, enum value value)
{
	profile->metrics.shown = value;
}

bool profile__has_waits(const struct profile *profile)
{
	return profile->has_waits;
}

void sample__name_thread(struct sample *sample, struct dictionary *dictionary, const char *name)
{
	sample->thread = name ? dictionary__add_string(dictionary, name) + 1 : 0;
}

/* Returns the slot of the sample with this key, or the free slot for it. There is a free one. */
static uint32_t *find_slot(const struct profile *profile, const struct sample *key)
{
	const size_t mask = profile->nr_slots - 1;

	for (size_t at = map__hash_more(profile->seed, key, KEY_BYTES) & mask;;
	     at = (at + 1) & mask) {
		uint32_t *slot = &profile->slots[at];

		if (*slot == ID_NONE || !memcmp(&profile->samples[*slot], key, KEY_BYTES))
			return slot;
	}
}

void profile__reserve(struct profile *profile, size_t nr_samples)
{
	size_t nr_slots = profile->nr_slots ? profile->nr_slots : FIRST_SLOTS;

	array__reserve(&profile->samples, &profile->capacity, nr_samples);
	while (nr_samples > nr_slots / 3 * 2)
		nr_slots *= 2;
	if (nr_slots == profile->nr_slots)
		return;
	if (!profile->slots)
		profile->seed = map__random_seed();
	free(profile->slots);
	profile->slots = ids__new(nr_slots);
	profile->nr_slots = nr_slots;
	for (size_t i = 0; i < profile->nr_samples; i++)
		*find_slot(profile, &profile->samples[i]) = (uint32_t)i;
}

void profile__add(struct profile *profile, const struct sample *sample)
{
	const double weight = (double)sample->values[VALUE_WEIGHT];
	const double squares =
		sample->squares > 0
			? sample->squares
			: weight * weight / fmax((double)sample->values[VALUE_COUNT], 1);
	struct sample *sum;
	uint32_t *slot;

	profile__reserve(profile, profile->nr_samples + 1);
	slot = find_slot(profile, sample);
	if (*slot == ID_NONE) {
		*slot = (uint32_t)profile->nr_samples++;
		profile->samples[*slot] = *sample;
		memset(profile->samples[*slot].values, 0, sizeof(sample->values));
		profile->samples[*slot].squares = 0;
	}
	sum = &profile->samples[*slot];
	for (int value = 0; value < VALUES; value++) {
		sum->values[value] = sum_of(sum->values[value], sample->values[value]);
		profile->totals[value] = sum_of(profile->totals[value], sample->values[value]);
	}
	sum->squares += squares;
	profile->squares += squares;
	profile->has_waits |= sample->wait != 0;
}

/*
 * Rounds running sums, not samples: each sample gets the difference of two rounded sums, so that
 * nothing is lost.
 */
bool profile__fit(struct profile *profile, uint32_t states, uint64_t total)
{
	struct sample *const end = profile->samples + profile->nr_samples;
	uint64_t sum = 0, before = 0, fitted = 0;

	for (struct sample *sample = profile->samples; sample < end; sample++)
		if (states >> wait__state(sample->wait) & 1)
			sum = sum_of(sum, sample->values[VALUE_WEIGHT]);
	if (!sum)
		return false;
	for (struct sample *sample = profile->samples; sample < end; sample++) {
		const uint64_t weight = sample->values[VALUE_WEIGHT];
		double factor, squares;
		uint64_t until;

		if (!(states >> wait__state(sample->wait) & 1))
			continue;
		before += weight;
		until = (uint64_t)((unsigned __int128)before * total / sum);
		sample->values[VALUE_WEIGHT] = until - fitted;
		if (weight) {
			factor = (double)(until - fitted) / (double)weight;
			squares = sample->squares * factor * factor;
			profile->squares += squares - sample->squares;
			sample->squares = squares;
		}
		fitted = until;
	}
	profile->totals[VALUE_WEIGHT] = profile->totals[VALUE_WEIGHT] - sum + total;
	return true;
}

double profile__squares(const struct profile *profile)
{
	return profile->squares;
}

void profile__add_rate(struct profile *profile)
{
	profile->metrics.has_rates = true;
}

/* A sum of UINT64_MAX stopped there: its true value is unknown. */
bool profile__weighs_differently(const struct profile *profile)
{
	const double count = (double)profile->totals[VALUE_COUNT];
	const double weight = (double)profile->totals[VALUE_WEIGHT];
	const double mean = weight / count;
	double least = LEAST_DIFFERENCE;

	if (!(count > 0 && weight > 0) || profile->totals[VALUE_COUNT] == UINT64_MAX ||
	    profile->totals[VALUE_WEIGHT] == UINT64_MAX)
		return false;
	if (metric__unit_ns(&profile->metrics.of[VALUE_WEIGHT]))
		least += UNIT_ROUNDING / (mean * mean);
	return count * profile->squares / (weight * weight) - 1 >
	       fmax(profile->metrics.has_rates ? 0 : EQUAL_WEIGHTS, least);
}

const struct sample *profile__find(const struct profile *profile, const struct sample *sample)
{
	const uint32_t *slot = profile->slots ? find_slot(profile, sample) : NULL;

	return slot && *slot != ID_NONE ? &profile->samples[*slot] : NULL;
}

const struct sample *profile__samples(const struct profile *profile, size_t *nr_samples)
{
	*nr_samples = profile->nr_samples;
	return profile->samples;
}

size_t profile__memory_bytes(const struct profile *profile)
{
	return sizeof(*profile) + profile->nr_slots * sizeof(*profile->slots) +
	       profile->capacity * sizeof(*profile->samples);
}

uint64_t profile__total(const struct profile *profile, enum value value)
{
	return profile->totals[value];
}

uint64_t profile__shown_total(const struct profile *profile)
{
	return profile->totals[profile->metrics.shown];
}
