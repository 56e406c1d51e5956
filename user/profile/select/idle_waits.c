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

static void add_sample(struct idle_waits *search, size_t index, const struct sample *sample)
{
	struct dictionary *dictionary = profile__dictionary(search->profile);
	const bool is_thread = sample->tid && search->duration_ns;
	const uint32_t key[] = {
		sample->process,
		is_thread ? (uint32_t)sample->tid : 0,
		is_thread ? 0 : dictionary__named_stack(dictionary, sample->stack),
		is_thread ? 0 : wait__kind(sample->wait),
	};
	const uint32_t id = pool__number(&search->keys, key, sizeof(key));
	struct thread_waits *waits = &search->waits[id];

	search->of_sample[index] = id;
	waits->is_thread = is_thread;
	for (int value = 0; value < VALUES; value++)
		waits->values[value] = sum_of(waits->values[value], sample->values[value]);
}

/* Sets of_sample to ID_NONE for all other samples. Returns the number of samples that are left. */
static size_t search_all(struct idle_waits *search)
{
	size_t nr_samples, nr_idle = 0;
	const struct sample *samples = profile__samples(search->profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		const enum wait_kind kind = wait__kind(samples[i].wait);

		if (kind == WAIT_FOR_POLL || kind == WAIT_FOR_SLEEP || kind == WAIT_FOR_LOCK)
			add_sample(search, i, &samples[i]);
	}
	for (size_t i = 0; i < nr_samples; i++) {
		uint32_t *id = &search->of_sample[i];
		uint64_t waited_ns, nr_ended;
		bool is_idle;

		if (*id == ID_NONE)
			continue;
		waited_ns = search->waits[*id].values[VALUE_WEIGHT];
		nr_ended = search->waits[*id].values[VALUE_COUNT];
		if (search->waits[*id].is_thread)
			is_idle = (double)waited_ns >= IDLE_FRACTION * (double)search->duration_ns;
		else
			is_idle = !nr_ended || waited_ns / nr_ended >= LONG_WAIT_NS;
		nr_idle += is_idle;
		if (!is_idle)
			*id = ID_NONE;
	}
	return nr_idle;
}

void profile__part_idle_waits(const struct profile *profile, uint64_t duration_ns,
			      struct profile **idle, struct profile **others)
{
	struct idle_waits search = {.profile = profile, .duration_ns = duration_ns};
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	*idle = *others = NULL;
	if (!profile__has_waits(profile) ||
	    metric__unit_ns(&profile__metrics(profile)->of[VALUE_WEIGHT]) != 1)
		return;
	search.waits = xcalloc(nr_samples, sizeof(*search.waits));
	search.of_sample = ids__new(nr_samples);
	if (search_all(&search)) {
		*idle = profile__new_like(profile, profile__dictionary(profile));
		*others = profile__new_like(profile, profile__dictionary(profile));
		for (size_t i = 0; i < nr_samples; i++)
			profile__add(search.of_sample[i] == ID_NONE ? *others : *idle, &samples[i]);
	}
	pool__clear(&search.keys);
	free(search.waits);
	free(search.of_sample);
}
