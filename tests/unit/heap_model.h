/* SPDX-License-Identifier: GPL-2.0-only */
/* Heaps whose truth is known, and what a sampler by bytes sees of them. */
#ifndef TOPSTACKS_TESTS_HEAP_MODEL_H
#define TOPSTACKS_TESTS_HEAP_MODEL_H

#include <math.h>
#include <stdint.h>

#include "model.h"
#include "profile/recording.h"

#define HEAP_PERIOD 524288

/* All blocks of a site have one size; several sites may have one stack. */
struct heap_site {
	const char *stack;
	uint64_t size, nr;
};

/* In (0, 1): splitmix64. */
static inline double heap_model__uniform(uint64_t *random)
{
	uint64_t x = *random += 0x9e3779b97f4a7c15;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	x ^= x >> 31;
	return ((double)(x >> 11) + 0.5) / 9007199254740992.0;
}

/*
 * How many blocks of a site are hit, if gaps between hits are exponential and each ends in its
 * block.
 */
static inline uint64_t heap_model__hits(const struct heap_site *site, uint64_t *random)
{
	const double size = (double)site->size, nr = (double)site->nr;
	uint64_t nr_hits = 0;
	double at = 0;

	for (;; at++, nr_hits++) {
		at += floor(-HEAP_PERIOD * log(heap_model__uniform(random)) / size);
		if (at >= nr)
			return nr_hits;
	}
}

/* One sample, as often as it was taken. */
static inline void heap_model__add(struct model *model, const struct heap_site *site, uint64_t hits)
{
	const double each = -1 / expm1(-(double)site->size / HEAP_PERIOD);
	struct sample sample = {.process = model__process(model, "prog", 1),
				.stack = model__stack(model, site->stack)};

	sample.values[VALUE_COUNT] = (uint64_t)llround((double)hits * each);
	sample.values[VALUE_WEIGHT] = (uint64_t)llround((double)(hits * site->size) * each);
	if (hits)
		profile__add(model->profile, &sample);
}

static inline struct model heap_model__new(const struct heap_site *sites, size_t nr_sites,
					   uint64_t *random)
{
	struct model model = model__new();

	profile__set_metrics(model.profile, &metrics__alloc);
	for (size_t i = 0; i < nr_sites; i++)
		heap_model__add(&model, &sites[i], heap_model__hits(&sites[i], random));
	return model;
}

static inline double heap_model__bytes(const struct heap_site *sites, size_t nr_sites)
{
	double sum = 0;

	for (size_t i = 0; i < nr_sites; i++)
		sum += (double)sites[i].size * (double)sites[i].nr;
	return sum;
}

#endif
