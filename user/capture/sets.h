/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set: the maps of one generation, their iterators, and what was read from them so far.
 *
 * Keys and stacks stay in a set when it is drained, so a stack is read once a set; when more than
 * half of it is taken it makes room for a fresh one.
 */
#ifndef TOPSTACKS_CAPTURE_SETS_H
#define TOPSTACKS_CAPTURE_SETS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "capture/sample.h"
#include "topstacks/abi.h"

struct bpf_link;
struct bpf_map;
struct bpf_program;
struct carried_stacks;
struct codes;
struct ledger;
struct map_calls;
struct process;
struct raw_stack;
struct raw_stacks;
struct shares;
struct topstacks_bpf;
struct element_visits;

enum set_map {
	SET_COUNTS,
	SET_STACKS,
	SET_SPILL,
	SET_PROCESSES,
	SET_CODES, /* of interpreters: what is read of it before the stacks that it names */
	SET_MAPS,
};

/* What the sizes of a set's maps follow from. */
struct set_shape {
	uint32_t capacity; /* stacks, a power of two; see count_entries() in sets.c */
	unsigned int max_depth;
	/* User stacks that our programs walk have no place but the spill map. */
	bool unwinds;	      /* by tables */
	bool follows_records; /* where there is no table, or none is wanted */
	bool interprets;      /* stacks may have words of interpreters */
	bool with_lines;      /* whose lines are asked for */
	bool spills_all; /* nor have stacks of the kernel, of an event whose stacks outlive a generation */
};

/* What outlives a set, and holds what is read from it; borrowed. */
struct set_tables {
	struct codes *codes;
	struct raw_stacks *raw_stacks;
	struct carried_stacks *carried; /* NULL: no stack outlives its generation */
};

struct set {
	struct set_shape shape;
	int maps[SET_MAPS];
	struct bpf_link *links[SET_MAPS];	      /* drain iterators; none for SET_STACKS */
	const struct bpf_program *visitors[SET_MAPS]; /* in place of links; borrowed */
	struct element_visits *visits;		      /* NULL: there are links */
	struct set_tables tables;
	const struct set *other;  /* whose turn it is when it is not this one's; borrowed */
	struct raw_stack **by_id; /* stacks read so far, by id of the stack map */
	uint32_t nr_ids;
	struct map by_key;	/* stacks read so far, by key of the spill map */
	struct map by_instance; /* processes read so far */
	struct map by_code;	/* code objects read so far, by word */
	uint64_t nr_used[SET_MAPS];
	uint64_t nr_live;  /* keys that had samples at the last drain */
	uint64_t since_ns; /* the programs work on it, or last began to; CLOCK_MONOTONIC */
};

/* A set that set__close may be given. */
#define SET_CLOSED                             \
	{                                      \
		.maps = { -1, -1, -1, -1, -1 } \
	}

/* Bytes in the kernel of a set, from how the kernel lays its maps out. */
size_t set__bytes(const struct set_shape *shape);

/* Of a hash map with all its elements, which are there from the start. */
size_t set__hash_bytes(size_t entries, size_t key, size_t value);

/* The map of maps in which a set's map has its place. */
struct bpf_map *sets__outer_map(const struct topstacks_bpf *skeleton, enum set_map map);

/* 0 or negative errno; nothing is left behind on error. */
int set__open(struct set *set, const struct set_shape *shape, const struct set_tables *tables,
	      struct error *err);
/* Links what drains the set, once the programs are loaded; generation is the set's place. */
int set__link(struct set *set, struct topstacks_bpf *skeleton, uint32_t generation,
	      struct error *err);
void set__close(struct set *set);

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
 * Begins to put sets in the places of generation, generation + 1, ... in the programs' maps. The kernel waits
 * for an RCU grace period with each call, so each of the SET_MAPS installations has a thread.
 */
void sets__begin_install(const struct set *sets, size_t nr_sets, uint32_t generation,
			 struct topstacks_bpf *skeleton, struct map_calls *calls,
			 struct set_installation *installations);

/* Waits until that is done, or does nothing if it has been before. 0 or negative errno. */
int sets__end_install(struct set_installation *installations, struct error *err);

/* Takes the maps of a generation from the programs, which must be at work on the other one. */
void set__uninstall(uint32_t generation, struct topstacks_bpf *skeleton, struct map_calls *calls);

/* The tables of what was read (drain.c), for set__open and set__close. 0 or -ENOMEM. */
int set__open_tables(struct set *set);
void set__close_tables(struct set *set);

/*
 * Gives every sample counted in the set to the sink and zeroes its count; new stacks and processes
 * are read into the set's tables first. Adds missing stacks, unnamed processes and the stacks that
 * were read by syscall to the ledger of their event. 0 or negative errno.
 */
int set__drain(struct set *set, const struct capture_sink *sink, struct ledger *ledgers,
	       size_t nr_events);

/*
 * The stack behind a reference by what is in it, as of a key of this set or of one before; NULL: it is not known,
 * and *missing may say why. Call it after each drain for all that may be asked for after the next.
 */
const struct raw_stack *set__find_stack(struct set *set, uint64_t reference, int *missing);

/* Who is behind an instance that has samples in this set. NULL: not known. Valid until the next drain. */
const struct process *set__find_process(struct set *set, uint64_t instance);

/* How so many events share a fresh set: with so many keys all of them find room for their stacks. */
void set__share_out(const struct set_shape *shape, size_t nr_events, struct shares *shares);

/*
 * More than half of one of the maps is taken, counting what is to come on top of what is known; of SET_STACKS that
 * follows from the others.
 */
bool set__is_half_full(const struct set *set, const uint64_t fresh[SET_MAPS]);

/* What the last drain found would leave room enough in a set of half the size. */
bool set__is_sparse(const struct set *set);

#endif
