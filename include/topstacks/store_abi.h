/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The store: arrays where programs count keys and log new records; user space has them mapped. A
 * block of slots and a chunk of the log are places. A CPU claims a place for itself and fills it
 * (kern/maps/places.bpf.h).
 */
#ifndef TOPSTACKS_STORE_ABI_H
#define TOPSTACKS_STORE_ABI_H

#include <linux/types.h>

/* The key by which samples are counted. */
struct sample_key {
	__u64 process; /* instance of the process; 0: the idle task */
	__u64 user;    /* stack references */
	__u64 kernel;
	__u32 tid;  /* global thread id; 0 unless threads are told apart */
	__u32 what; /* bits: see "sample_key.what" in abi.h */
};

struct sample_value {
	__u64 count;
	__u64 weight; /* sum of the events' weights, in the unit of their source */
};

/* The head of a place: see kern/maps/places.bpf.h. */
struct claimed_place {
	__u32 claim;
	/* a CPU owns it; claimed but not taken: several CPUs claimed it at once, and none got it */
	__u32 is_taken;
};

/* A key with its count and weight. The counts map maps the key to the slot's number. */
struct count_slot {
	struct sample_key key;
	struct sample_value value;
	__u64 is_taken; /* key is valid */
	__u64 padding;	/* a cache line, so that CPUs do not share any */
};

#define SLOTS_A_BLOCK	   16
#define SLOT(block, index) ((block)*SLOTS_A_BLOCK + (index))
#define SLOT_BLOCK(slot)   ((slot) / SLOTS_A_BLOCK)
#define SLOT_INDEX(slot)   ((slot) % SLOTS_A_BLOCK)

struct slot_block {
	struct claimed_place place;
	__u64 padding[7];
	struct count_slot slots[SLOTS_A_BLOCK];
};

/*
 * A chunk of the log: records of processes, code and stacks, each logged once. The known map
 * remembers what was logged: it maps a key to a check, by which a collision of keys is seen.
 */
/* a record begins below this word; behind it there is room for one whole record */
#define LOG_LAST_WORD 512

enum log_kind {
	LOG_PROCESS,
	LOG_CODE,
	LOG_STACK,
};

struct log_chunk {
	struct claimed_place place;
	__u64 nr_words;
	__u64 words[]; /* records, each with a LOG_HEADER() before it */
};

#define LOG_HEADER(kind, nr_words) ((__u64)(kind) << 32 | (nr_words))
#define LOG_KIND(header)	   ((__u32)((header) >> 32))
#define LOG_WORDS(header)	   ((__u32)(header))

/* Number of words that programs copy at a time. */
#define RECORD_PART 16

/* Room for a record of nr_words at most, in whole parts. */
#define RECORD_ROOM(nr_words) (((nr_words) + RECORD_PART - 1) / RECORD_PART * RECORD_PART)

/* record_words: RECORD_ROOM() of the largest. */
#define LOG_CHUNK_BYTES(record_words) \
	(sizeof(struct log_chunk) + (LOG_LAST_WORD + 1 + (record_words)) * 8)

/*
 * Keys of the known map: a stack's key has 62 bits, a code object's word has the top bit set, a
 * process's key the next bit.
 */
#define KNOWN_PROCESS(instance) (((instance) >> 2) | 1ULL << 62)

/* The place that a CPU currently fills, by generation and context. */
struct place_cursor {
	/*
	 * turn of the array when the place was taken; another turn: user space has emptied the
	 * array
	 */
	__u32 turn;
	__u32 place;
	__u32 used; /* slots, or words, of the place that are in use */
	/* a program is using the place; a program that interrupts it claims another place */
	__u32 busy;
};

struct store_cursors {
	struct place_cursor slots, log;
};

/*
 * State of a generation's arrays. It has a cache line of its own, as CPUs that need a second place
 * write to it.
 */
struct store_state {
	__u32 nr_blocks,
		/*
		 * claimed so far, home places included; may run ahead. User space resets it to the
		 * homes
		 */
		nr_chunks;
	__u32 slots_turn, log_turn; /* how often each array was emptied; written by user space */
	__u32 padding[12];
};

_Static_assert(sizeof(struct sample_key) == 32, "no silent padding");
_Static_assert(sizeof(struct sample_value) == 16, "no silent padding");
_Static_assert(sizeof(struct count_slot) == 64, "a whole cache line");
_Static_assert(sizeof(struct slot_block) == 64 * (1 + SLOTS_A_BLOCK), "whole cache lines");
_Static_assert(sizeof(struct store_state) == 64, "a whole cache line");

#endif
