// SPDX-License-Identifier: GPL-2.0-only
#include "profile/select/idle_waits.h"

#include "profile/interned.h"

#define LONG_WAIT_NS  100000000
#define IDLE_FRACTION 0.99

/* Sum of the waits for work of one thread, or of one process at one stack. */
struct thread_waits {
	uint64_t values[VALUES];
	bool is_thread;
};

struct idle_waits {
	const struct profile *profile;
	uint64_t duration_ns;
	struct pool keys;	    /* of sums */
	struct thread_waits *waits; /* by key; room for one for each sample */
	uint32_t *of_sample;	    /* by sample: its key; ID_NONE: no wait for work */
};

static bool may_be_idle(const struct sample *sample)
{
	const enum wait_kind kind = wait__kind(sample->wait);

	return kind == WAIT_FOR_POLL || kind == WAIT_FOR_SLEEP || kind == WAIT_FOR_LOCK;
}

static int add_sample(struct idle_waits *search, size_t index, const struct sample *sample)
{
	struct dictionary *dictionary = profile__dictionary(search->profile);
	const bool is_thread = sample->tid && search->duration_ns;
	const uint32_t key[] = {
		sample->process,
		is_thread ? (uint32_t)sample->tid : 0,
		is_thread ? 0 : dictionary__named_stack(dictionary, sample->stack),
		is_thread ? 0 : wait__kind(sample->wait),
	};
	const uint32_t id =
		key[2] == ID_NONE ? ID_NONE : pool__number(&search->keys, key, sizeof(key));

	if (id == ID_NONE)
		return -ENOMEM;
	search->of_sample[index] = id;
	search->waits[id].is_thread = is_thread;
	for (int value = 0; value < VALUES; value++)
		search->waits[id].values[value] =
			sum_of(search->waits[id].values[value], sample->values[value]);
	return 0;
}

static bool is_idle(const struct idle_waits *search, const struct thread_waits *waits)
{
	const uint64_t waited_ns = waits->values[VALUE_WEIGHT];
	const uint64_t nr_ended = waits->values[VALUE_COUNT];

	if (waits->is_thread)
		return (double)waited_ns >= IDLE_FRACTION * (double)search->duration_ns;
	return !nr_ended || waited_ns / nr_ended >= LONG_WAIT_NS;
}

/* Sets of_sample to ID_NONE for all other samples. *nr_idle: number of samples that are left. */
static int search_all(struct idle_waits *search, size_t *nr_idle)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(search->profile, &nr_samples);
	int code = 0;

	for (size_t i = 0; i < nr_samples && !code; i++)
		if (may_be_idle(&samples[i]))
			code = add_sample(search, i, &samples[i]);
	*nr_idle = 0;
	for (size_t i = 0; i < nr_samples && !code; i++) {
		uint32_t *id = &search->of_sample[i];

		if (*id != ID_NONE && !is_idle(search, &search->waits[*id]))
			*id = ID_NONE;
		*nr_idle += *id != ID_NONE;
	}
	return code;
}

static int part(const struct idle_waits *search, struct profile **idle, struct profile **others)
{
	struct dictionary *dictionary = profile__dictionary(search->profile);
	size_t nr_samples;
	const struct sample *samples = profile__samples(search->profile, &nr_samples);
	int code;

	*idle = profile__new_like(search->profile, dictionary);
	*others = profile__new_like(search->profile, dictionary);
	code = *idle && *others ? 0 : -ENOMEM;
	for (size_t i = 0; i < nr_samples && !code; i++)
		code = profile__add(search->of_sample[i] == ID_NONE ? *others : *idle, &samples[i]);
	if (!code)
		return 0;
	profile__free(*idle);
	profile__free(*others);
	*idle = *others = NULL;
	return code;
}

int profile__part_idle_waits(const struct profile *profile, uint64_t duration_ns,
			     struct profile **idle, struct profile **others)
{
	struct idle_waits search = {.profile = profile, .duration_ns = duration_ns};
	size_t nr_samples, nr_idle = 0;
	int code;

	*idle = *others = NULL;
	profile__samples(profile, &nr_samples);
	if (!profile__has_waits(profile) ||
	    metric__unit_ns(&profile__metrics(profile)->of[VALUE_WEIGHT]) != 1)
		return 0;
	search.waits = calloc(nr_samples, sizeof(*search.waits));
	search.of_sample = ids__new(nr_samples);
	code = search.waits && search.of_sample ? search_all(&search, &nr_idle) : -ENOMEM;
	if (!code && nr_idle)
		code = part(&search, idle, others);
	pool__clear(&search.keys);
	free(search.waits);
	free(search.of_sample);
	return code;
}
