/* SPDX-License-Identifier: GPL-2.0-only */
/* The sizes of a set's maps. */
#ifndef TOPSTACKS_CAPTURE_KERNEL_SET_SHAPE_H
#define TOPSTACKS_CAPTURE_KERNEL_SET_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum set_map {
	SET_COUNTS,   /* from a key to its slot */
	SET_KNOWN,    /* from a stack, a process or code that the log has told to its check */
	SET_KEY_MAPS, /* these two fill as long as a set lives, and are emptied or exchanged then */
	SET_STACKS = SET_KEY_MAPS,
	SET_SLOTS, /* mapped: where keys are counted */
	SET_LOG,   /* mapped: what is new since the last drain */
	SET_MAPS,
};

/* The sizes follow from these. */
struct set_shape {
	uint32_t capacity; /* stacks, a power of two */
	uint32_t
		nr_homes; /* CPUs times contexts in use: each has a block of slots and a chunk of the log */
	unsigned int max_depth;
	/* User stacks that our programs walk have no place but the log. */
	bool unwinds;	      /* by tables */
	bool follows_records; /* where there is no table, or none is wanted */
	bool interprets;      /* stacks may have words of interpreters */
	bool with_lines;      /* whose lines are asked for */
	bool reads_kernel;    /* programs have bpf_probe_read_kernel() */
	bool spills_all; /* nor have stacks of the kernel, of an event whose stacks outlive a generation */
};

/* Elements of a map. */
uint32_t set_shape__entries(const struct set_shape *shape, enum set_map map);

/* Elements of one of the mapped arrays beside the homes. */
uint32_t set_shape__pool(const struct set_shape *shape, enum set_map map);

/* Words of 8 bytes of the largest record of the log, in whole parts. */
uint32_t set_shape__record_words(const struct set_shape *shape);

/* Bytes of an element of the log. */
size_t set_shape__chunk_bytes(const struct set_shape *shape);

/* Bytes of a mapped array. */
size_t set_shape__array_bytes(const struct set_shape *shape, enum set_map map);

/* Bytes of the maps of keys in the kernel, and of all maps, from how the kernel lays them out. */
size_t set_shape__key_bytes(const struct set_shape *shape);
size_t set_shape__bytes(const struct set_shape *shape);

/* Bytes of a hash map with all its elements, which are there from the start. */
size_t set_shape__hash_bytes(size_t entries, size_t key, size_t value);

#endif
