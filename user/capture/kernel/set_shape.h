/* SPDX-License-Identifier: GPL-2.0-only */
/* The sizes of a set's maps. */
#ifndef TOPSTACKS_CAPTURE_KERNEL_SET_SHAPE_H
#define TOPSTACKS_CAPTURE_KERNEL_SET_SHAPE_H

#include "base/common.h"

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

#endif
