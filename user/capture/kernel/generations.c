// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sizes of sets adapt: a set that fills in less than a third of a second is doubled, as far as
 * memory allows, and one that lasts for half a minute is halved.
 */
#include "capture/kernel/generations.h"

#include "capture/host/skeleton.h"
#include "capture/kernel/code_objects.h"
#include "capture/kernel/kernel.h"
#include "capture/kernel/raw_stacks.h"
#include "capture/kernel/sets.h"

/*
 * The first sets have room for a quarter of a second in which no two samples are alike, and for two
 * seconds where that is cheap: on a busy system naming the first samples, all new, may take a
 * second.
 */
#define FIRST_CAPACITY_SECONDS 0.25
#define CHEAP_CAPACITY_SECONDS 2.0
#define MIN_CAPACITY	       1024
#define CHEAP_CAPACITY	       4096
#define LEAST_CAPACITY	       64 /* for deep stacks and little memory */

/*
 * A set that fills within GROW_BELOW_NS is doubled; one that lasts longer than SHRINK_ABOVE_NS is
 * halved.
 */
#define GROW_BELOW_NS	300000000ULL
#define SHRINK_ABOVE_NS 30000000000ULL

static bool fits(const struct generations *generations, unsigned int nr_sets, uint32_t capacity)
{
	struct set_shape shape = generations->first_shape;

	shape.capacity = capacity;
	return nr_sets * set_shape__bytes(&shape) <= generations->max_bytes;
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
	struct set_tables *tables = &generations->tables;
	int i, code = 0;

	generations->first_shape.capacity = choose_capacity(generations, samples_per_second);
	tables->codes = code_objects__new();
	tables->raw_stacks = raw_stacks__new(tables->codes);
	if (generations->carries_stacks)
		tables->carried = wait_stacks__new(tables->raw_stacks);
	for (i = 0; i < ABI_GENERATIONS && !code; i++)
		code = set__open(&generations->sets[i], &generations->first_shape, tables, err);
	return code;
}

/* Begins a generation with a fresh set. */
static void begin_set(struct generations *generations, uint32_t generation)
{
	struct set *set = &generations->sets[generation];

	set->other = &generations->sets[!generation];
	set__begin(set, &generations->skeleton->bss->session.stores[generation]);
	generations->installed_ns[generation] = monotonic_ns();
	if (generations->nr_events > 1)
		set__share_out(&set->shape, generations->nr_events,
			       &generations->skeleton->bss->session.shares[generation]);
}

bool generations__is_crowded(const struct generations *generations, uint32_t generation)
{
	const struct shares *shares;

	if (generations->nr_events <= 1)
		return false;
	shares = &generations->skeleton->bss->session.shares[generation];
	return 2 * shares->nr_common > shares->common;
}

void generations__install(struct generations *generations, struct topstacks_bpf *skeleton)
{
	int i;

	generations->skeleton = skeleton;
	for (i = 0; i < ABI_GENERATIONS; i++)
		begin_set(generations, (uint32_t)i);
	sets__begin_install(generations->sets, ABI_GENERATIONS, 0, SET_MAPS, skeleton,
			    generations->map_calls, generations->installations);
}

int generations__await(struct generations *generations, struct error *err)
{
	return sets__end_install(generations->installations, SET_MAPS, err);
}

void generations__close(struct generations *generations)
{
	int i;

	generations__await(generations, NULL);
	for (i = 0; i < ABI_GENERATIONS; i++)
		set__close(&generations->sets[i]);
	wait_stacks__free(generations->tables.carried);
	raw_stacks__free(generations->tables.raw_stacks);
	code_objects__free(generations->tables.codes);
}

uint32_t generations__current(const struct generations *generations)
{
	return generations->skeleton->bss->session.generation;
}

/*
 * How long in advance a generation is announced; the announcing thread may be interrupted
 * meanwhile.
 */
#define AHEAD_NS 50000ULL
#define TRIES	 8

/*
 * Announces when a generation begins, and waits until then. Programs read the clock first and the
 * announcement second, so programs that run after the begin see it, if it was made in time. If the
 * announcement came too late, it is repeated with a later time; programs may have charged time to
 * the wrong generation meanwhile.
 */
static uint64_t announce(struct program_session *session, uint32_t generation, bool is_first)
{
	uint64_t begin_ns = 0;
	int i;

	for (i = 0; i < TRIES && begin_ns <= monotonic_ns(); i++) {
		begin_ns = monotonic_ns() + AHEAD_NS;
		__atomic_store_n(&session->flip_ns[generation], begin_ns, __ATOMIC_SEQ_CST);
		if (is_first)
			__atomic_store_n(&session->begin_ns, begin_ns, __ATOMIC_SEQ_CST);
	}
	while (monotonic_ns() < begin_ns)
		;
	return begin_ns;
}

uint64_t generations__begin(struct generations *generations)
{
	struct program_session *session = &generations->skeleton->bss->session;

	if (!generations->is_timed)
		return monotonic_ns();
	session->open_generation = !session->generation; /* the time before the first generation */
	return announce(session, session->generation, true);
}

uint32_t generations__flip(struct generations *generations, uint64_t *flip_ns)
{
	struct program_session *session = &generations->skeleton->bss->session;
	uint32_t owned = generations__current(generations);

	*flip_ns = monotonic_ns();
	if (generations->is_timed) {
		session->open_generation = owned;
		*flip_ns = announce(session, !owned, false);
	}
	generations->sets[!owned].since_ns = *flip_ns;
	__atomic_store_n(&session->generation, !owned, __ATOMIC_SEQ_CST);
	return owned;
}

static uint32_t next_capacity(const struct generations *generations, uint32_t owned, bool is_full)
{
	const struct set *set = &generations->sets[owned];
	uint32_t capacity = set->shape.capacity;
	uint64_t age_ns = monotonic_ns() - generations->installed_ns[owned];

	if (is_full && age_ns < GROW_BELOW_NS && fits(generations, ABI_GENERATIONS, 2 * capacity))
		return 2 * capacity;
	if (age_ns > SHRINK_ABOVE_NS && capacity > generations->first_shape.capacity &&
	    (is_full || set__is_sparse(set)))
		return capacity / 2;
	return capacity;
}

static int make_set(struct generations *generations, const struct set_shape *shape,
		    struct set *fresh)
{
	struct error why = {0};

	return set__open(fresh, shape, &generations->tables, &why);
}

static int install(struct generations *generations, uint32_t owned, const struct set *set)
{
	struct set_installation installations[SET_MAPS];

	sets__begin_install(set, 1, owned, SET_MAPS, generations->skeleton, generations->map_calls,
			    installations);
	return sets__end_install(installations, SET_MAPS, NULL);
}

static void remove_set(struct generations *generations, uint32_t owned)
{
	set__uninstall(owned, generations->skeleton, generations->map_calls);
	set__close(&generations->sets[owned]);
}

/*
 * Replaces a set in place: removes the old one first, which takes four more grace periods, and
 * makes the largest one that fits. If none fits, samples of this generation are lost as no_set,
 * until the next drain tries again.
 */
static void remake(struct generations *generations, uint32_t owned, struct set_shape shape)
{
	struct set *set = &generations->sets[owned];
	struct set_shape smaller = shape;
	int code;

	remove_set(generations, owned);
	while ((code = make_set(generations, &smaller, set)) && smaller.capacity > LEAST_CAPACITY)
		smaller.capacity /= 2;
	if (code || install(generations, owned, set)) {
		remove_set(generations, owned);
		set->shape = shape;
	}
	begin_set(generations, owned);
}

/*
 * Replaces a set while the old one exists. If that fails, the old one stays until the next drain
 * tries again.
 */
static void replace(struct generations *generations, uint32_t owned, const struct set_shape *shape)
{
	struct set *old = &generations->sets[owned];
	struct set fresh;

	if (make_set(generations, shape, &fresh))
		return;
	if (install(generations, owned, &fresh)) { /* some maps may be installed */
		set__close(&fresh);
		if (install(generations, owned, old))
			remake(generations, owned, old->shape);
		return;
	}
	set__close(old);
	*old = fresh;
	begin_set(generations, owned);
}

/*
 * Empties a set. If deleting keys fails, it is uncertain which keys the programs know, so the set
 * is replaced.
 */
static void empty(struct generations *generations, uint32_t owned)
{
	struct set *set = &generations->sets[owned];
	const size_t bytes =
		ABI_GENERATIONS * set_shape__bytes(&set->shape) + set_shape__key_bytes(&set->shape);

	if (set__empty(set, generations->skeleton, owned, bytes <= generations->max_bytes,
		       generations->map_calls))
		remake(generations, owned, set->shape);
	else
		begin_set(generations, owned);
}

void generations__renew(struct generations *generations, uint32_t owned)
{
	const struct set *old = &generations->sets[owned];
	struct set_shape shape = old->shape;
	bool is_open = set__is_open(old), is_full;

	is_full = set__is_full(old, (const uint64_t[SET_KEY_MAPS]){0}, EMPTY_AT) ||
		  generations__is_crowded(generations, owned);
	shape.capacity = next_capacity(generations, owned, is_full);
	if (is_open && !is_full && shape.capacity == old->shape.capacity)
		return;
	if (is_open && shape.capacity == old->shape.capacity)
		empty(generations, owned);
	else if (is_open && fits(generations, ABI_GENERATIONS + 1, shape.capacity))
		replace(generations, owned, &shape);
	else
		remake(generations, owned, shape);
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
