// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets are sized by how long they last: what fills in less than a second is doubled, as far as
 * memory allows, and what lasts for half a minute is halved.
 */
#include "capture/generations.h"

#include <stdbool.h>

#include "base/clock.h"
#include "capture/kernel.h"
#include "capture/raw_stacks.h"
#include "capture/skeleton.h"

/*
 * Sets begin with room for what half a second may bring if no two samples are alike, and where that
 * costs little, for two: the first names of a busy system, all new, may take a second.
 */
#define FIRST_CAPACITY_SECONDS 0.5
#define CHEAP_CAPACITY_SECONDS 2.0
#define MIN_CAPACITY	       1024
#define CHEAP_CAPACITY	       4096
#define LEAST_CAPACITY	       64 /* where stacks are deep and memory is short */

/* A set that fills faster than this grows, one that lasts longer than that shrinks. */
#define GROW_BELOW_NS	1000000000ULL
#define SHRINK_ABOVE_NS 30000000000ULL

static bool fits(const struct generations *generations, unsigned int nr_sets, uint32_t capacity)
{
	struct set_shape shape = generations->first_shape;

	shape.capacity = capacity;
	return nr_sets * set__bytes(&shape) <= generations->max_bytes;
}

static uint32_t choose_capacity(const struct generations *generations, double samples_per_second)
{
	uint32_t capacity = MIN_CAPACITY;

	while ((capacity < samples_per_second * FIRST_CAPACITY_SECONDS ||
		(capacity < CHEAP_CAPACITY &&
		 capacity < samples_per_second * CHEAP_CAPACITY_SECONDS)) &&
	       fits(generations, ABI_GENERATIONS, 2 * capacity))
		capacity *= 2;
	while (capacity > LEAST_CAPACITY && !fits(generations, ABI_GENERATIONS, capacity))
		capacity /= 2;
	return capacity;
}

void generations__init(struct generations *generations, unsigned int max_depth, size_t max_bytes,
		       struct map_calls *map_calls)
{
	int i;

	*generations = (struct generations){
		.first_shape.max_depth = max_depth, .map_calls = map_calls, .max_bytes = max_bytes};
	for (i = 0; i < ABI_GENERATIONS; i++)
		generations->sets[i] = (struct set)SET_CLOSED;
}

int generations__open(struct generations *generations, double samples_per_second, struct error *err)
{
	int i, code = 0;

	generations->first_shape.capacity = choose_capacity(generations, samples_per_second);
	generations->raw_stacks = raw_stacks__new();
	if (!generations->raw_stacks)
		return error__no_memory(err);
	for (i = 0; i < ABI_GENERATIONS && !code; i++)
		code = set__open(&generations->sets[i], &generations->first_shape,
				 generations->raw_stacks, err);
	return code;
}

int generations__install(struct generations *generations, struct topstacks_bpf *skeleton,
			 struct error *err)
{
	int i, code = 0;

	generations->skeleton = skeleton;
	for (i = 0; i < ABI_GENERATIONS && !code; i++) {
		code = set__link(&generations->sets[i], skeleton, err);
		generations->installed_ns[i] = monotonic_ns();
	}
	return code ? code
		    : sets__install(generations->sets, ABI_GENERATIONS, 0, skeleton,
				    generations->map_calls, err);
}

void generations__close(struct generations *generations)
{
	int i;

	for (i = 0; i < ABI_GENERATIONS; i++)
		set__close(&generations->sets[i]);
	raw_stacks__free(generations->raw_stacks);
}

uint32_t generations__current(const struct generations *generations)
{
	return generations->skeleton->bss->session.generation;
}

uint32_t generations__flip(struct generations *generations)
{
	uint32_t owned = generations__current(generations);

	generations->sets[!owned].since_ns = monotonic_ns();
	__atomic_store_n(&generations->skeleton->bss->session.generation, !owned, __ATOMIC_SEQ_CST);
	return owned;
}

static uint32_t next_capacity(const struct generations *generations, uint32_t owned,
			      bool is_half_full)
{
	const struct set *set = &generations->sets[owned];
	uint32_t capacity = set->shape.capacity;
	uint64_t age_ns = monotonic_ns() - generations->installed_ns[owned];

	if (is_half_full && age_ns < GROW_BELOW_NS &&
	    fits(generations, ABI_GENERATIONS, 2 * capacity))
		return 2 * capacity;
	if (age_ns > SHRINK_ABOVE_NS && capacity > generations->first_shape.capacity &&
	    (is_half_full || set__is_sparse(set)))
		return capacity / 2;
	return capacity;
}

static int make_set(struct generations *generations, const struct set_shape *shape,
		    struct set *fresh, struct error *err)
{
	int code = set__open(fresh, shape, generations->raw_stacks, err);

	if (code)
		return code;
	code = set__link(fresh, generations->skeleton, err);
	if (code)
		set__close(fresh);
	return code;
}

/* As large as can be had: the old set is gone. */
static int make_any_set(struct generations *generations, struct set_shape *shape, struct set *fresh,
			struct error *err)
{
	int code = make_set(generations, shape, fresh, err);

	while (code && shape->capacity > LEAST_CAPACITY) {
		shape->capacity /= 2;
		code = make_set(generations, shape, fresh, err);
	}
	return code;
}

static int install(struct generations *generations, uint32_t owned, const struct set *set,
		   struct error *err)
{
	return sets__install(set, 1, owned, generations->skeleton, generations->map_calls, err);
}

/* Where no fresh set can be had, the old one is in use until the next drain tries again. */
static int replace(struct generations *generations, uint32_t owned, const struct set_shape *shape,
		   struct error *err)
{
	struct set *old = &generations->sets[owned];
	struct error why = {0};
	struct set fresh;

	if (make_set(generations, shape, &fresh, &why))
		return 0;
	if (install(generations, owned, &fresh, &why)) { /* perhaps in part */
		set__close(&fresh);
		return install(generations, owned, old, err);
	}
	set__close(old);
	*old = fresh;
	generations->installed_ns[owned] = monotonic_ns();
	return 0;
}

/* Where there is no room for three sets the old one goes first: four more grace periods. */
static int make_room_and_replace(struct generations *generations, uint32_t owned,
				 struct set_shape *shape, struct error *err)
{
	struct set *old = &generations->sets[owned];
	struct set fresh;
	int code;

	set__uninstall(owned, generations->skeleton, generations->map_calls);
	set__close(old);
	code = make_any_set(generations, shape, &fresh, err);
	if (code)
		return code;
	*old = fresh;
	generations->installed_ns[owned] = monotonic_ns();
	return install(generations, owned, old, err);
}

int generations__renew(struct generations *generations, uint32_t owned, struct error *err)
{
	const struct set *old = &generations->sets[owned];
	struct set_shape shape = old->shape;
	bool is_half_full = set__is_half_full(old, 0, 0, 0);

	shape.capacity = next_capacity(generations, owned, is_half_full);
	if (!is_half_full && shape.capacity == old->shape.capacity)
		return 0;
	if (fits(generations, ABI_GENERATIONS + 1, shape.capacity))
		return replace(generations, owned, &shape, err);
	return make_room_and_replace(generations, owned, &shape, err);
}

size_t generations__kernel_bytes(const struct generations *generations)
{
	size_t bytes = 0;
	int i, map;

	for (i = 0; i < ABI_GENERATIONS; i++)
		for (map = 0; map < SET_MAPS; map++)
			bytes += kernel__memlock_of(generations->sets[i].maps[map]);
	return bytes;
}
