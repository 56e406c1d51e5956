// SPDX-License-Identifier: GPL-2.0-only
/*
 * Forgets the keys of a full set.
 *
 * Few keys are deleted in two calls, at about 0.3 us a key, during which that CPU takes no samples
 * (map_calls). For many keys, both maps of keys are replaced: the kernel makes and frees maps while
 * CPUs take samples.
 */
#include <unistd.h>

#include "capture/host/map_calls.h"
#include "capture/kernel/sets.h"
#include "topstacks/abi.h"

/* keys of a map; more are only deleted if memory has no room for new maps */
#define MOST_DELETED 4096

struct key_list {
	uint64_t *keys;
	size_t nr, room;
	bool are_processes; /* numbers are process instances; else they are keys of the map */
	int code;
};

static bool list_key(void *item, void *context)
{
	const uint64_t number = ((const struct map_number *)item)->number;
	struct key_list *list = context;

	if (!list->code)
		list->code = array__reserve(&list->keys, &list->room, list->nr + 1);
	if (!list->code)
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

static int delete_known(struct set *set, struct map_calls *calls)
{
	struct key_list list = {0};
	int code;

	map__visit(&set->by_key, list_key, &list);
	map__visit(&set->by_code, list_key, &list);
	list.are_processes = true;
	map__visit(&set->by_instance, list_key, &list);
	code = list.code;
	if (!code)
		code = delete_all(calls, set->maps[SET_KNOWN], list.keys, sizeof(*list.keys),
				  list.nr);
	free(list.keys);
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
		fresh.maps[map] = sets__create_map(map, &set->shape);
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
	int code;

	if (!has_memory ||
	    (set->nr_used[SET_COUNTS] <= MOST_DELETED && set->nr_used[SET_KNOWN] <= MOST_DELETED)) {
		code = delete_known(set, calls);
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
	return set__open_keys(set);
}
