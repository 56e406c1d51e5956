/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set: the maps of one generation, and what was read from them so far.
 *
 * Programs count in slots and tell what is new in a log; both are mapped, so a drain reads memory and calls the kernel for nothing but
 * stacks of the stack trace map. Keys stay in a set when it is drained, so a stack is told once; a set whose keys
 * fill it up forgets them.
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_SETS_H
#define TOPSTACKS_CAPTURE_KERNEL_SETS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "capture/events/sample.h"
#include "capture/kernel/set_shape.h"
#include "topstacks/abi.h"

struct bpf_map;
struct carried_stacks;
struct codes;
struct ledger;
struct map_calls;
struct process;
struct raw_stack;
struct raw_stacks;
struct shares;
struct topstacks_bpf;

/* Tables that outlive a set, for what is read from it; borrowed. */
struct set_tables {
	struct codes *codes;
	struct raw_stacks *raw_stacks;
	struct carried_stacks *carried; /* NULL: no stack outlives its generation */
};

struct set {
	struct set_shape shape;
	int maps[SET_MAPS];
	struct slot_block *blocks; /* mapped */
	char *log;		   /* mapped: chunks */
	struct store_state *
		state; /* of the programs, and of the generation that the set is; borrowed; NULL: of none */
	struct set_tables tables;
	const struct set *other;  /* whose turn it is when it is not this one's; borrowed */
	struct raw_stack **by_id; /* stacks read so far, by id of the stack map */
	uint32_t nr_ids;
	struct map by_key;	/* stacks read so far, by key of the known map */
	struct map by_instance; /* processes read so far */
	struct map by_code;	/* code objects read so far, by word */
	uint64_t nr_used[SET_KEY_MAPS];
	uint64_t nr_lost;  /* blocks that claims have lost since the set was last empty */
	uint64_t nr_live;  /* keys that had samples at the last drain */
	uint64_t since_ns; /* the programs work on it, or last began to; CLOCK_MONOTONIC */
};

/* A set that set__close may be given. */
#define SET_CLOSED                             \
	{                                      \
		.maps = { -1, -1, -1, -1, -1 } \
	}

/* A map of that shape: its descriptor, or negative errno. */
int sets__create_map(enum set_map map, const struct set_shape *shape);

/* The map of maps in which a set's map has its place. */
struct bpf_map *sets__outer_map(const struct topstacks_bpf *skeleton, enum set_map map);

/* 0 or negative errno; nothing is left behind on error. */
int set__open(struct set *set, const struct set_shape *shape, const struct set_tables *tables,
	      struct error *err);
void set__close(struct set *set);

/*
 * The set, which is empty, becomes that of a generation on which no program works: none of its places is taken. state: the
 * programs' of that generation, borrowed.
 */
void set__begin(struct set *set, struct store_state *state);

/* Blocks of slots, from the first on, that may be taken. */
uint32_t set__nr_blocks(const struct set *set);

/* Whether there is one: see generations__renew. */
static inline bool set__is_open(const struct set *set)
{
	return set->maps[SET_COUNTS] >= 0;
}

/* One kind of map on its way to its places, which takes an RCU grace period. Zeros: on none. */
struct set_installation {
	struct map_calls *map_calls; /* borrowed */
	int outer, inner[ABI_GENERATIONS];
	uint32_t generations[ABI_GENERATIONS], nr;
	int code;
	pthread_t thread;
	bool has_thread;
};

/*
 * Begins to put the first nr_maps maps of sets in the places of generation, generation + 1, ... in the programs' maps.
 * The kernel waits for an RCU grace period with each call, so each of the installations, which are nr_maps, has
 * a thread.
 */
void sets__begin_install(const struct set *sets, size_t nr_sets, uint32_t generation, int nr_maps,
			 struct topstacks_bpf *skeleton, struct map_calls *calls,
			 struct set_installation *installations);

/* Waits until that is done, or does nothing if it has been before. 0 or negative errno. */
int sets__end_install(struct set_installation *installations, int nr_maps, struct error *err);

/* Takes the maps of a generation from the programs, which must be at work on the other one. */
void set__uninstall(uint32_t generation, struct topstacks_bpf *skeleton, struct map_calls *calls);

/* The tables of what was read (drain.c), for set__open and set__close. 0 or -ENOMEM. */
int set__open_tables(struct set *set);
void set__close_tables(struct set *set);
/* Opens and closes those tables alone that are found by keys. 0 or -ENOMEM. */
int set__open_keys(struct set *set);
void set__close_keys(struct set *set);

/*
 * Gives every sample counted in the set to the sink and zeroes its count; new processes, code and stacks are read from
 * the log into the set's tables first, and the log is empty then. Adds missing stacks, unnamed processes and the stacks that
 * were read by syscall to the ledger of their event, and places that claims have lost to the first event's.
 * 0 or negative errno.
 */
int set__drain(struct set *set, const struct capture_sink *sink, struct ledger *ledgers,
	       size_t nr_events);

/*
 * The stack behind a reference by what is in it, as of a key of this set or of one before; NULL: it is not known,
 * and *missing may say why. Call it after each drain for all that may be asked for after the next.
 */
const struct raw_stack *set__find_stack(struct set *set, uint64_t reference, int *missing);

/* The process of an instance that has samples in this set. NULL: not known. Valid until the next drain. */
const struct process *set__find_process(struct set *set, uint64_t instance);

/* How so many events share a fresh set: with so many keys all of them find room for their stacks. */
void set__share_out(const struct set_shape *shape, size_t nr_events, struct shares *shares);

/*
 * Empties the maps of keys (set_keys.c), slots and tables of an owned set; has_memory: two more maps of keys may be made for
 * a moment. set__begin comes next. Stacks of the stack trace map stay. 0 or negative errno; then keys may be
 * missing, and the set is to be replaced.
 */
int set__empty(struct set *set, struct topstacks_bpf *skeleton, uint32_t generation,
	       bool has_memory, struct map_calls *calls);

/* In eighths of a set: it is drained early, and empty after a drain, if more is taken. */
#define DRAIN_AT 5
#define EMPTY_AT 4

/*
 * More than so many eighths of maps are taken, of the log or of slots as of now, and of the maps of keys with so many on
 * top of what is known.
 */
bool set__is_full(const struct set *set, const uint64_t fresh[SET_KEY_MAPS], unsigned int eighths);

/* Whether a set of half the size would have had room enough for the last drain. */
bool set__is_sparse(const struct set *set);

#endif
