// SPDX-License-Identifier: GPL-2.0-only
#include "capture/sets.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/rights.h"
#include "capture/element_visits.h"
#include "capture/features.h"
#include "capture/iterate.h"
#include "capture/map_calls.h"
#include "capture/skeleton.h"
#include "topstacks/abi.h"
#include "topstacks/interpreter_abi.h"

#define LEAST_CODES 1024

/* So much of its room, as a divisor, a set has for events that others would crowd out. */
#define OWN_PART 4

static bool spills_users(const struct set_shape *shape)
{
	return shape->unwinds || shape->follows_records || shape->spills_all;
}

/* Entries of a map in a set. */
static uint32_t count_entries(enum set_map map, const struct set_shape *shape)
{
	uint32_t capacity = shape->capacity;

	switch (map) {
	case SET_COUNTS:
		return 2 * capacity; /* the same user stack above several kernel stacks */
	case SET_STACKS:
		/* One more than a power of two doubles the buckets. User stacks that we
		 * walk leave kernel stacks here. */
		return (spills_users(shape) ? capacity / 4 : capacity) + 1;
	case SET_SPILL:
		if (shape->spills_all) /* a key has one of each */
			return 2 * capacity;
		/* Of n stacks in 2c buckets, 21 % collide at n = c, 12 % at n = c / 2. */
		return spills_users(shape) ? capacity - capacity / 4 : capacity / 4;
	case SET_CODES: /* stacks share most of theirs, but one alone may have many */
		if (!shape->interprets)
			return 1;
		return capacity / 16 > LEAST_CODES ? capacity / 16 : LEAST_CODES;
	default:
		return capacity / 2; /* where all processes are short, each is of one sample */
	}
}

/* An element of a preallocated hash: struct htab_elem is 48 bytes, key and value follow. */
size_t set__hash_bytes(size_t entries, size_t key, size_t value)
{
	return entries * (48 + key + value) + 2 * entries * 16;
}

size_t set__bytes(const struct set_shape *shape)
{
	size_t stack = 24 + 8 * (size_t)shape->max_depth; /* struct stack_map_bucket */

	return set__hash_bytes(count_entries(SET_COUNTS, shape), sizeof(struct sample_key),
			       sizeof(struct sample_value)) +
	       count_entries(SET_STACKS, shape) * stack + 2 * shape->capacity * sizeof(void *) +
	       set__hash_bytes(count_entries(SET_SPILL, shape), 8,
			       SPILLED_STACK_BYTES(shape->max_depth)) +
	       set__hash_bytes(count_entries(SET_PROCESSES, shape), 8,
			       sizeof(struct process_record)) +
	       set__hash_bytes(count_entries(SET_CODES, shape), 8,
			       CODE_RECORD_BYTES(shape->with_lines));
}

static int create_map(enum set_map map, const struct set_shape *shape)
{
	static const struct {
		enum bpf_map_type type;
		const char *name;
		uint32_t key_bytes, value_bytes;
	} shapes[SET_MAPS] = {
		[SET_COUNTS] = {BPF_MAP_TYPE_HASH, "ts_counts", sizeof(struct sample_key),
				sizeof(struct sample_value)},
		[SET_STACKS] = {BPF_MAP_TYPE_STACK_TRACE, "ts_stacks", sizeof(uint32_t), 0},
		[SET_SPILL] = {BPF_MAP_TYPE_HASH, "ts_spill", sizeof(uint64_t), 0},
		[SET_PROCESSES] = {BPF_MAP_TYPE_HASH, "ts_processes", sizeof(uint64_t),
				   sizeof(struct process_record)},
		[SET_CODES] = {BPF_MAP_TYPE_HASH, "ts_codes", sizeof(uint64_t), 0},
	};
	uint32_t value_bytes = shapes[map].value_bytes;
	uint64_t before;
	int fd;

	if (map == SET_STACKS)
		value_bytes = shape->max_depth * sizeof(uint64_t);
	else if (map == SET_SPILL)
		value_bytes = SPILLED_STACK_BYTES(shape->max_depth);
	else if (map == SET_CODES)
		value_bytes = CODE_RECORD_BYTES(shape->with_lines);
	before = rights__raise(RIGHTS_TO_SAMPLE);
	fd = bpf_map_create(shapes[map].type, shapes[map].name, shapes[map].key_bytes, value_bytes,
			    count_entries(map, shape), NULL);
	rights__restore(before);
	return fd;
}

int set__open(struct set *set, const struct set_shape *shape, const struct set_tables *tables,
	      struct error *err)
{
	int map, code = 0;

	*set = (struct set)SET_CLOSED;
	set->shape = *shape;
	set->tables = *tables;
	if (set__open_tables(set))
		code = error__no_memory(err);
	for (map = 0; map < SET_MAPS && !code; map++) {
		set->maps[map] = create_map(map, shape);
		if (set->maps[map] < 0)
			code = features__explain(NULL, err, set->maps[map], "create BPF maps");
	}
	if (code)
		set__close(set);
	return code;
}

int set__link(struct set *set, struct topstacks_bpf *skeleton, uint32_t generation,
	      struct error *err)
{
	struct bpf_program *const programs[SET_MAPS] = {
		[SET_COUNTS] = skeleton->progs.on_drain_count,
		[SET_SPILL] = skeleton->progs.on_drain_spill,
		[SET_PROCESSES] = skeleton->progs.on_drain_proc,
		[SET_CODES] = set->shape.interprets ? skeleton->progs.on_drain_code : NULL,
	};
	int map;

	if (element_visits__are_used(skeleton)) {
		set->visitors[SET_COUNTS] = skeleton->progs.on_visit_counts;
		set->visitors[SET_SPILL] = skeleton->progs.on_visit_spill;
		set->visitors[SET_PROCESSES] = skeleton->progs.on_visit_procs;
		set->visitors[SET_CODES] = skeleton->progs.on_visit_codes;
		set->visits = element_visits__new(skeleton, generation);
		return set->visits
			       ? 0
			       : features__explain(NULL, err, -errno, "map the ring of a BPF map");
	}
	for (map = 0; map < SET_MAPS; map++) {
		if (!programs[map])
			continue;
		set->links[map] = iterate__link(programs[map], set->maps[map]);
		if (!set->links[map])
			return features__explain(NULL, err, -errno,
						 "attach an iterator to BPF maps");
	}
	return 0;
}

void set__close(struct set *set)
{
	int map;

	for (map = 0; map < SET_MAPS; map++) {
		bpf_link__destroy(set->links[map]);
		if (set->maps[map] >= 0)
			close(set->maps[map]);
	}
	element_visits__free(set->visits);
	set__close_tables(set);
	*set = (struct set)SET_CLOSED;
}

struct bpf_map *sets__outer_map(const struct topstacks_bpf *skeleton, enum set_map map)
{
	struct bpf_map *const outer[SET_MAPS] = {
		[SET_COUNTS] = skeleton->maps.counts, [SET_STACKS] = skeleton->maps.stacks,
		[SET_SPILL] = skeleton->maps.spill,   [SET_PROCESSES] = skeleton->maps.processes,
		[SET_CODES] = skeleton->maps.codes,
	};

	return outer[map];
}

static void *place(void *context)
{
	struct set_installation *installation = context;

	installation->code = map_calls__update_all(installation->map_calls, installation->outer,
						   installation->generations, installation->inner,
						   installation->nr);
	return NULL;
}

void sets__begin_install(const struct set *sets, size_t nr_sets, uint32_t generation,
			 struct topstacks_bpf *skeleton, struct map_calls *calls,
			 struct set_installation *installations)
{
	int map;

	for (map = 0; map < SET_MAPS; map++) {
		struct set_installation *installation = &installations[map];

		*installation = (struct set_installation){
			.map_calls = calls, .outer = bpf_map__fd(sets__outer_map(skeleton, map))};
		while (installation->nr < nr_sets && installation->nr < ABI_GENERATIONS) {
			installation->inner[installation->nr] = sets[installation->nr].maps[map];
			installation->generations[installation->nr] = generation + installation->nr;
			installation->nr++;
		}
		installation->has_thread =
			!pthread_create(&installation->thread, NULL, place, installation);
		if (!installation->has_thread)
			place(installation);
	}
}

int sets__end_install(struct set_installation *installations, struct error *err)
{
	int map, code = 0;

	for (map = 0; map < SET_MAPS; map++) {
		if (installations[map].has_thread)
			pthread_join(installations[map].thread, NULL);
		installations[map].has_thread = false;
		if (!code)
			code = installations[map].code;
	}
	return code ? error__set(err, EXIT_INTERNAL, code, "cannot replace BPF maps") : 0;
}

void set__uninstall(uint32_t generation, struct topstacks_bpf *skeleton, struct map_calls *calls)
{
	int map;

	for (map = 0; map < SET_MAPS; map++)
		map_calls__delete(calls, bpf_map__fd(sets__outer_map(skeleton, map)), &generation);
}

/* A key brings one new stack, seldom two. */
void set__share_out(const struct set_shape *shape, size_t nr_events, struct shares *shares)
{
	const uint64_t nr_keys =
		spills_users(shape) ? count_entries(SET_SPILL, shape) : shape->capacity;

	*shares = (struct shares){.own = nr_keys / OWN_PART / nr_events};
	shares->common = nr_keys - nr_events * shares->own;
}

/* A new key brings one new stack, seldom two; user stacks that we walk go elsewhere. */
static uint64_t new_stacks(const struct set *set, uint64_t new_keys)
{
	return spills_users(&set->shape) ? new_keys / 4 : new_keys;
}

bool set__is_half_full(const struct set *set, const uint64_t fresh[SET_MAPS])
{
	int map;

	for (map = 0; map < SET_MAPS; map++) {
		const uint64_t more =
			map == SET_STACKS ? new_stacks(set, fresh[SET_COUNTS]) : fresh[map];

		if (2 * (set->nr_used[map] + more) > count_entries(map, &set->shape))
			return true;
	}
	return false;
}

bool set__is_sparse(const struct set *set)
{
	return 8 * set->nr_live <= set->shape.capacity;
}
