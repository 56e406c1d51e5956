// SPDX-License-Identifier: GPL-2.0-only
/*
 * Forgets the keys of a full set.
 *
 * Few keys are deleted in two calls, at about 0.3 us a key, during which that CPU takes no samples
 * (map_calls). For many keys, both maps of keys are replaced: the kernel makes and frees maps while
 * CPUs take samples.
 */
#include "capture/kernel/sets.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/system/rights.h"
#include "capture/host/features.h"
#include "capture/host/map_calls.h"
#include "capture/host/skeleton.h"
#include "topstacks/abi.h"

/* a divisor: the part of the keys that is reserved, so that one event cannot crowd out others */
#define OWN_PART 4

static const struct map_kind {
	enum bpf_map_type type;
	const char *name;
	uint32_t key_bytes, value_bytes; /* 0: depends on the set's shape */
	uint32_t flags;
} map_kinds[SET_MAPS] = {
	[SET_COUNTS] = {BPF_MAP_TYPE_HASH, "ts_counts", sizeof(struct sample_key), sizeof(uint32_t),
			0},
	[SET_KNOWN] = {BPF_MAP_TYPE_HASH, "ts_known", sizeof(uint64_t), sizeof(uint64_t), 0},
	[SET_STACKS] = {BPF_MAP_TYPE_STACK_TRACE, "ts_stacks", sizeof(uint32_t), 0, 0},
	[SET_SLOTS] = {BPF_MAP_TYPE_ARRAY, "ts_slots", sizeof(uint32_t), sizeof(struct slot_block),
		       BPF_F_MMAPABLE | BPF_F_INNER_MAP},
	[SET_LOG] = {BPF_MAP_TYPE_ARRAY, "ts_log", sizeof(uint32_t), 0,
		     BPF_F_MMAPABLE | BPF_F_INNER_MAP},
};

/* Creates a map of that shape. Returns its descriptor or negative errno. */
static int create_map(enum set_map map, const struct set_shape *shape)
{
	const struct map_kind *kind = &map_kinds[map];
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = kind->flags);
	uint32_t value_bytes = kind->value_bytes;
	uint64_t before;
	int fd;

	if (map == SET_STACKS)
		value_bytes = shape->max_depth * sizeof(uint64_t);
	else if (map == SET_LOG)
		value_bytes = (uint32_t)set_shape__chunk_bytes(shape);
	before = rights__raise(RIGHTS_TO_SAMPLE);
	fd = bpf_map_create(kind->type, kind->name, kind->key_bytes, value_bytes,
			    set_shape__entries(shape, map), &options);
	rights__restore(before);
	return fd;
}

/* Maps an array. Forked processes that read files of others must not inherit it. */
static int map_array(const struct set *set, enum set_map map, void **bytes)
{
	const size_t nr_bytes = set_shape__array_bytes(&set->shape, map);

	*bytes = mmap(NULL, nr_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, set->maps[map], 0);
	if (*bytes == MAP_FAILED) {
		*bytes = NULL;
		return -errno;
	}
	madvise(*bytes, nr_bytes, MADV_DONTFORK);
	return 0;
}

int set__open(struct set *set, const struct set_shape *shape, const struct set_tables *tables,
	      struct error *err)
{
	void *blocks = NULL, *log = NULL;
	char act[64];
	int map, code = 0;

	*set = (struct set)SET_CLOSED;
	set->shape = *shape;
	set->tables = *tables;
	if (set__open_tables(set))
		code = memory__error(err);
	for (map = 0; map < SET_MAPS && !code; map++) {
		set->maps[map] = create_map(map, shape);
		snprintf(act, sizeof(act), "make the BPF map %s", map_kinds[map].name);
		if (set->maps[map] < 0)
			code = features__explain(NULL, err, set->maps[map], act);
	}
	if (!code) {
		code = map_array(set, SET_SLOTS, &blocks);
		if (!code)
			code = map_array(set, SET_LOG, &log);
		set->blocks = blocks;
		set->log = log;
		if (code)
			features__explain(NULL, err, code, "map the BPF maps ts_slots and ts_log");
	}
	if (code)
		set__close(set);
	return code;
}

void set__close(struct set *set)
{
	int map;

	if (set->blocks)
		munmap(set->blocks, set_shape__array_bytes(&set->shape, SET_SLOTS));
	if (set->log)
		munmap(set->log, set_shape__array_bytes(&set->shape, SET_LOG));
	for (map = 0; map < SET_MAPS; map++)
		if (set->maps[map] >= 0)
			close(set->maps[map]);
	set__close_tables(set);
	*set = (struct set)SET_CLOSED;
}

void set__begin(struct set *set, struct store_state *state)
{
	set->state = state;
	state->nr_blocks = state->nr_chunks = set->shape.nr_homes;
	state->slots_turn++;
	state->log_turn++;
}

struct bpf_map *sets__outer_map(const struct topstacks_bpf *skeleton, enum set_map map)
{
	struct bpf_map *const outer[SET_MAPS] = {
		[SET_COUNTS] = skeleton->maps.counts, [SET_KNOWN] = skeleton->maps.known,
		[SET_STACKS] = skeleton->maps.stacks, [SET_SLOTS] = skeleton->maps.slots,
		[SET_LOG] = skeleton->maps.logs,
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

void sets__begin_install(const struct set *sets, size_t nr_sets, uint32_t generation, int nr_maps,
			 struct topstacks_bpf *skeleton, struct map_calls *calls,
			 struct set_installation *installations)
{
	int map;

	for (map = 0; map < nr_maps; map++) {
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

int sets__end_install(struct set_installation *installations, int nr_maps, struct error *err)
{
	int map, code = 0;

	for (map = 0; map < nr_maps; map++) {
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

/* A key brings one new stack, rarely two, so capacity is divided. */
void set__share_out(const struct set_shape *shape, size_t nr_events, struct shares *shares)
{
	*shares = (struct shares){.own = shape->capacity / OWN_PART / nr_events};
	shares->common = shape->capacity - nr_events * shares->own;
}

/* The stack trace map never makes a set full: stacks that find no room there go to the log. */
bool set__is_full(const struct set *set, const uint64_t fresh[SET_KEY_MAPS], unsigned int eighths)
{
	const uint32_t nr_homes = set->shape.nr_homes;
	const uint64_t taken[SET_MAPS] = {
		[SET_COUNTS] = set->nr_used[SET_COUNTS] + fresh[SET_COUNTS],
		[SET_KNOWN] = set->nr_used[SET_KNOWN] + fresh[SET_KNOWN],
		[SET_SLOTS] = set->state ? set->state->nr_blocks - nr_homes : 0,
		[SET_LOG] = set->state ? set->state->nr_chunks - nr_homes : 0,
	};
	int map;

	for (map = 0; map < SET_MAPS; map++) {
		const uint64_t room = map < SET_KEY_MAPS ? set_shape__entries(&set->shape, map)
							 : set_shape__pool(&set->shape, map);

		if (8 * taken[map] > eighths * room)
			return true;
	}
	return false;
}

bool set__is_sparse(const struct set *set)
{
	return 8 * set->nr_live <= set->shape.capacity;
}

/* ---- emptying ---- */

/* keys of a map; more are only deleted if memory has no room for new maps */
#define MOST_DELETED 4096

struct key_list {
	uint64_t *keys;
	size_t nr, room;
	bool are_processes; /* numbers are process instances; else they are keys of the map */
};

static bool list_key(void *item, void *context)
{
	const uint64_t number = ((const struct map_number *)item)->number;
	struct key_list *list = context;

	array__reserve(&list->keys, &list->room, list->nr + 1);
	list->keys[list->nr++] = list->are_processes ? KNOWN_PROCESS(number) : number;
	return false;
}

/*
 * Deletes keys and skips missing ones: a slot may have been taken for a key that another CPU had
 * made known.
 */
static int delete_all(struct map_calls *calls, int map, const void *keys, size_t key_bytes,
		      size_t nr)
{
	size_t done = 0;
	int code = 0;

	while (done < nr && !code) {
		uint32_t some = (uint32_t)(nr - done);

		code = map_calls__delete_some(calls, map, (const char *)keys + done * key_bytes,
					      &some);
		done += some;
		if (code == -ENOENT) {
			done++;
			code = 0;
		}
	}
	return code;
}

static int delete_counts(struct set *set, uint32_t nr_blocks, struct map_calls *calls)
{
	struct sample_key *keys = calloc((size_t)nr_blocks * SLOTS_A_BLOCK + 1, sizeof(*keys));
	uint32_t block, i;
	size_t nr = 0;
	int code;

	if (!keys)
		return -ENOMEM;
	for (block = 0; block < nr_blocks; block++)
		for (i = 0; i < SLOTS_A_BLOCK; i++)
			if (set->blocks[block].slots[i].is_taken)
				keys[nr++] = set->blocks[block].slots[i].key;
	code = delete_all(calls, set->maps[SET_COUNTS], keys, sizeof(*keys), nr);
	free(keys);
	return code;
}

/* Replaces the maps of keys by new ones. On failure some of the old ones may still be installed. */
static int exchange(struct set *set, struct topstacks_bpf *skeleton, uint32_t generation,
		    struct map_calls *calls)
{
	struct set_installation installations[SET_KEY_MAPS];
	struct set fresh = SET_CLOSED;
	int map, old, code = 0;

	for (map = 0; map < SET_KEY_MAPS && !code; map++) {
		fresh.maps[map] = create_map(map, &set->shape);
		if (fresh.maps[map] < 0)
			code = fresh.maps[map];
	}
	if (!code) {
		sets__begin_install(&fresh, 1, generation, SET_KEY_MAPS, skeleton, calls,
				    installations);
		code = sets__end_install(installations, SET_KEY_MAPS, NULL);
	}
	for (map = 0; map < SET_KEY_MAPS; map++) {
		old = code ? fresh.maps[map] : set->maps[map];
		if (!code)
			set->maps[map] = fresh.maps[map];
		if (old >= 0)
			close(old);
	}
	return code;
}

int set__empty(struct set *set, struct topstacks_bpf *skeleton, uint32_t generation,
	       bool has_memory, struct map_calls *calls)
{
	const uint32_t nr_blocks = set__nr_blocks(set);
	struct key_list list = {0};
	int code;

	if (!has_memory ||
	    (set->nr_used[SET_COUNTS] <= MOST_DELETED && set->nr_used[SET_KNOWN] <= MOST_DELETED)) {
		map__visit(&set->by_key, list_key, &list);
		map__visit(&set->by_code, list_key, &list);
		list.are_processes = true;
		map__visit(&set->by_instance, list_key, &list);
		code = delete_all(calls, set->maps[SET_KNOWN], list.keys, sizeof(*list.keys),
				  list.nr);
		free(list.keys);
		if (!code)
			code = delete_counts(set, nr_blocks, calls);
	} else {
		code = exchange(set, skeleton, generation, calls);
	}
	if (code)
		return code;
	memset(set->blocks, 0, nr_blocks * sizeof(*set->blocks));
	set->nr_lost = 0;
	memset(set->nr_used, 0, sizeof(set->nr_used));
	set__close_keys(set);
	set__open_keys(set);
	return 0;
}
