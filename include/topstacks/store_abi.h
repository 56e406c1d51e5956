/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The store: where programs count keys, and tell what is new, in arrays that user space has mapped. A block of
 * slots and a chunk of the log are places; a CPU takes a place for itself and fills it (kern/maps/places.bpf.h).
 */
#ifndef TOPSTACKS_STORE_ABI_H
#define TOPSTACKS_STORE_ABI_H

#include <linux/types.h>

/* A sample is counted by its key. */
struct sample_key {
	__u64 process; /* instance of the process; 0: the idle task */
	__u64 user;    /* stack references */
	__u64 kernel;
	__u32 tid;  /* global thread id; 0 unless threads are told apart */
	__u32 what; /* see abi.h */
};

struct sample_value {
	__u64 count;
	__u64 weight; /* sum of the events' weights, in the unit of their source */
};

/* The begin of a place: see kern/maps/places.bpf.h. */
struct claimed_place {
	__u32 claim;
	__u32 is_taken; /* a CPU has it; else, with a claim, those who came at once have lost it */
};

/* A key and what was counted of it. The counts map leads from the key to the slot's number. */
struct count_slot {
	struct sample_key key;
	struct sample_value value;
	__u64 is_taken; /* the key is in it */
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
 * A chunk of the log: records of processes, code and stacks, each told once. The known map says what was told: from
 * a key to a check, which another record under the same key does not have.
 */
#define LOG_LAST_WORD 512 /* a record begins before it; a whole one has room behind it */

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

/* Programs copy records in parts of so many words. */
#define RECORD_PART 16

/* Room for a record of nr_words at most, in whole parts. */
#define RECORD_ROOM(nr_words) (((nr_words) + RECORD_PART - 1) / RECORD_PART * RECORD_PART)

/* record_words: RECORD_ROOM() of the largest. */
#define LOG_CHUNK_BYTES(record_words) \
	(sizeof(struct log_chunk) + (LOG_LAST_WORD + 1 + (record_words)) * 8)

/* Keys of the known map. Stacks have 62 bits; the word of a code object has the top bit, the key of a process the next. */
#define KNOWN_PROCESS(instance) (((instance) >> 2) | 1ULL << 62)

/* The place that a CPU fills, by generation and context. */
struct place_cursor {
	__u32 turn; /* of its array when it was taken: another one has emptied it since */
	__u32 place;
	__u32 used; /* slots of it, or words */
	__u32 busy; /* a program is at it; one that interrupts that takes a place of its own */
};

struct store_cursors {
	struct place_cursor slots, log;
};

/* The arrays of a generation, in a cache line of their own: CPUs write to it that take a place beside their home. */
struct store_state {
	__u32 nr_blocks,
		nr_chunks; /* taken, homes included, or soon to be; user space begins anew with the homes */
	__u32 slots_turn, log_turn; /* so often each was emptied; written by user space */
	__u32 padding[12];
};

_Static_assert(sizeof(struct sample_key) == 32, "no silent padding");
_Static_assert(sizeof(struct sample_value) == 16, "no silent padding");
_Static_assert(sizeof(struct count_slot) == 64, "a whole cache line");
_Static_assert(sizeof(struct slot_block) == 64 * (1 + SLOTS_A_BLOCK), "whole cache lines");
_Static_assert(sizeof(struct store_state) == 64, "a whole cache line");

#endif
