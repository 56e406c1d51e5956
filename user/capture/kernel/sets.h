/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set: the maps of one generation, and tables of the records read from them.
 *
 * Programs count in slots and write new records to a log. Both are mapped, so a drain reads memory,
 * and calls the kernel only for stacks of the stack trace map. A drain keeps the keys in the set,
 * so a stack is logged once. A set that is full of keys is emptied.
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_SETS_H
#define TOPSTACKS_CAPTURE_KERNEL_SETS_H

#include <pthread.h>

#include "base/common.h"
#include "capture/events/sample.h"
#include "topstacks/abi.h"

struct bpf_map;
struct wait_stacks;
struct code_objects;
struct ledger;
struct map_calls;
struct process;
struct raw_stack;
struct raw_stacks;
struct shares;
struct topstacks_bpf;

/* ---- set_shape.c: the sizes of a set's maps ---- */

enum set_map {
	SET_COUNTS,   /* from a key to its slot */
	SET_KNOWN,    /* from the key of a logged stack, process or code object to its check */
	SET_KEY_MAPS, /* the two above fill during a set's life, and are then emptied or replaced */
	SET_STACKS = SET_KEY_MAPS,
	SET_SLOTS, /* mapped: the counts of keys */
	SET_LOG,   /* mapped: records that are new since the last drain */
	SET_MAPS,
};

/* The parameters that determine the sizes of the maps. */
struct set_shape {
	uint32_t capacity; /* stacks, a power of two */
	uint32_t
		nr_homes; /* CPUs times contexts in use: home places in each of slots and the log */
	unsigned int max_depth;
	/* User stacks that our own programs walk are only stored in the log. */
	bool unwinds; /* walks use unwind tables */
	/* our programs follow frame pointers, as there are no tables or none are wanted */
	bool follows_records;
	bool interprets;   /* stacks may have words of interpreters */
	bool hands_over;   /* the program that follows interpreters is loaded later */
	bool with_lines;   /* with line numbers of interpreted code */
	bool reads_kernel; /* programs have bpf_probe_read_kernel() */
	/* kernel stacks are stored in the log, too, as stacks outlive a generation */
	bool spills_all;
};

/* Returns the number of elements of a map. */
uint32_t set_shape__entries(const struct set_shape *shape, enum set_map map);

/* Returns the elements of a mapped array beside the home places. */
uint32_t set_shape__pool(const struct set_shape *shape, enum set_map map);

/* Returns the size of the largest log record in 8-byte words, rounded up to whole parts. */
uint32_t set_shape__record_words(const struct set_shape *shape);

/* Returns the bytes of one element of the log. */
size_t set_shape__chunk_bytes(const struct set_shape *shape);

/* Returns the bytes of a mapped array. */
size_t set_shape__array_bytes(const struct set_shape *shape, enum set_map map);

/*
 * Return the kernel memory of the maps of keys, and of all maps, in bytes, after the kernel's
 * layout.
 */
size_t set_shape__key_bytes(const struct set_shape *shape);
size_t set_shape__bytes(const struct set_shape *shape);

/* Returns the bytes of a preallocated hash map. */
size_t set_shape__hash_bytes(size_t entries, size_t key, size_t value);

/* ---- sets.c, drain.c ---- */

/* Tables that outlive a set; borrowed. */
struct set_tables {
	struct code_objects *codes;
	struct raw_stacks *raw_stacks;
	struct wait_stacks *carried; /* NULL: no stack outlives its generation */
};

struct set {
	struct set_shape shape;
	int maps[SET_MAPS];
	struct slot_block *blocks; /* mapped */
	char *log;		   /* mapped: chunks */
	struct store_state *
		state; /* shared with the programs; borrowed; NULL: no generation has the set yet */
	struct set_tables tables;
	const struct set *other;  /* the set of the other generation; borrowed */
	struct raw_stack **by_id; /* stacks read so far, by id of the stack map */
	uint32_t nr_ids;
	struct map by_key;	  /* stacks read so far, by key of the known map */
	struct objalloc *of_keys; /* has the items of by_key; NULL: there are none */
	struct map by_instance;	  /* processes read so far */
	struct map by_code;	  /* code objects read so far, by word */
	uint64_t nr_used[SET_KEY_MAPS];
	uint64_t nr_lost;  /* blocks lost by simultaneous claims since the set was last emptied */
	uint64_t nr_live;  /* keys that had samples at the last drain */
	uint64_t since_ns; /* when the programs last began to work on it; CLOCK_MONOTONIC */
};

/* The initial value of a set, for which set__close may be called. */
#define SET_CLOSED                             \
	{                                      \
		.maps = { -1, -1, -1, -1, -1 } \
	}

/* Returns the map of maps that holds the sets' maps of this kind, by generation. */
struct bpf_map *sets__outer_map(const struct topstacks_bpf *skeleton, enum set_map map);

/* Creates and maps the maps. Returns 0 or negative errno; on error nothing is left behind. */
int set__open(struct set *set, const struct set_shape *shape, const struct set_tables *tables,
	      struct error *err);
void set__close(struct set *set);

/*
 * Makes an empty set that of a generation on which no program works; all its places are free.
 * state: the programs' state of that generation, borrowed.
 */
void set__begin(struct set *set, struct store_state *state);

/* Returns the number of slot blocks, counted from the first, that may be in use. */
uint32_t set__nr_blocks(const struct set *set);

/* Returns true if the generation has a set: see generations__renew. */
static inline bool set__is_open(const struct set *set)
{
	return set->maps[SET_COUNTS] >= 0;
}

/*
 * The installation of one kind of map, which takes an RCU grace period. Zeroed: none is going on.
 */
struct set_installation {
	struct map_calls *map_calls; /* borrowed */
	int outer, inner[ABI_GENERATIONS];
	uint32_t generations[ABI_GENERATIONS], nr;
	int code;
	pthread_t thread;
	bool has_thread;
};

/*
 * Starts to install the first nr_maps maps of sets, for generation, generation + 1, ..., in the
 * programs' maps. The kernel waits for an RCU grace period in each call, so each of the nr_maps
 * installations has a thread.
 */
void sets__begin_install(const struct set *sets, size_t nr_sets, uint32_t generation, int nr_maps,
			 struct topstacks_bpf *skeleton, struct map_calls *calls,
			 struct set_installation *installations);

/* Waits for the installations; calling it again does nothing. Returns 0 or negative errno. */
int sets__end_install(struct set_installation *installations, int nr_maps, struct error *err);

/*
 * Removes the maps of a generation from the programs' maps; the programs must work on the other
 * generation.
 */
void set__uninstall(uint32_t generation, struct topstacks_bpf *skeleton, struct map_calls *calls);

/* Open and close the tables of records (drain.c), for set__open and set__close. 0 or -ENOMEM. */
int set__open_tables(struct set *set);
void set__close_tables(struct set *set);
/* Open and close only the tables that are searched by keys. */
void set__open_keys(struct set *set);
void set__close_keys(struct set *set);

/*
 * Passes each sample of the set to the sink and zeroes its count. Before that, it reads new
 * processes, code and stacks from the log into the set's tables, and empties the log. Missing
 * stacks, unnamed processes and stacks read by system call go to the ledger of their event, lost
 * places to the ledger of the first event. Returns 0 or negative errno.
 */
int set__drain(struct set *set, const struct capture_sink *sink, struct ledger *ledgers,
	       size_t nr_events);

/*
 * Returns the stack of a reference by content, from a key of this set or an earlier one. NULL:
 * unknown; *missing may tell the reason. To keep a stack known, call this after each drain.
 */
const struct raw_stack *set__find_stack(struct set *set, uint64_t reference, int *missing);

/*
 * Returns the process of an instance that has samples in this set, valid until the next drain.
 * NULL: unknown.
 */
const struct process *set__find_process(struct set *set, uint64_t instance);

/*
 * Divides the keys of a fresh set among the events. The total is limited so that all keys find room
 * for their stacks.
 */
void set__share_out(const struct set_shape *shape, size_t nr_events, struct shares *shares);

/*
 * Empties the maps of keys, the slots and the tables of an owned set; call set__begin
 * next. has_memory: two more maps of keys may exist for a moment. Stacks of the stack trace map
 * stay. Returns 0 or negative errno; on error keys may be missing, and the set must be replaced.
 */
int set__empty(struct set *set, struct topstacks_bpf *skeleton, uint32_t generation,
	       bool has_memory, struct map_calls *calls);

/*
 * Fill levels in eighths: above DRAIN_AT a set is drained early, above EMPTY_AT it is emptied after
 * a drain.
 */
#define DRAIN_AT 5
#define EMPTY_AT 4

/*
 * Returns true if more than so many eighths of a map are taken: of log and slots as they are now,
 * of the maps of keys as of the last drain, plus the keys in fresh.
 */
bool set__is_full(const struct set *set, const uint64_t fresh[SET_KEY_MAPS], unsigned int eighths);

/* Returns true if a set of half the size would have sufficed for the last drain. */
bool set__is_sparse(const struct set *set);

/*
 * ---- wait_stacks.c: stacks by key, kept as long as a thread may wait with them ----
 *
 * A wait outlives the set that stored its stack. At the end of each generation, the cut charges all
 * unfinished waits and so uses their stacks. A stack that two drains did not use can thus be
 * forgotten.
 */

/* Creates an empty table. raw_stacks is borrowed. */
struct wait_stacks *wait_stacks__new(struct raw_stacks *raw_stacks);
/* NULL is fine. */
void wait_stacks__free(struct wait_stacks *carried);

/*
 * Notes that the current drain uses a key. stack: the key's stack; NULL: unchanged. Returns the
 * key's stack, valid at least until the drain after next; NULL: unknown.
 */
const struct raw_stack *wait_stacks__name(struct wait_stacks *carried, uint64_t key,
					  const struct raw_stack *stack);

/* Ends a drain: drops stacks that were not used for long. */
void wait_stacks__forget(struct wait_stacks *carried);

#endif
