/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where rows live so that the BPF program finds them: in chunks of UNWIND_CHUNK_ROWS, each of which
 * their owner makes when it is needed (a BPF map; plain memory in tests). Adding and removing a
 * table never moves another one's rows.
 */
#ifndef TOPSTACKS_UNWIND_SPACE_H
#define TOPSTACKS_UNWIND_SPACE_H

#include <stddef.h>
#include <stdint.h>

#include "topstacks/unwind_abi.h"
#include "unwind/unwind.h"

struct unwind_space;

struct unwind_space_options {
	size_t max_bytes; /* of all chunks; less than one chunk holds nothing */
	/* Writable memory of UNWIND_CHUNK_ENTRIES rows; NULL: there is none. They count from 0. */
	struct unwind_row *(*new_chunk)(void *context, uint32_t chunk);
	void *context;
};

/* NULL: out of memory. Chunks are their owner's, before and after. */
struct unwind_space *unwind_space__new(const struct unwind_space_options *options);
void unwind_space__free(struct unwind_space *space);

struct unwind_placement {
	size_t nr_shards;
	struct unwind_shard shards[];
};

/*
 * Copies the rows of a table. *placement is valid until it is removed. Returns 0, -ENOSPC (others
 * must be removed first, or it is too large) or -ENOMEM.
 */
int unwind_space__add(struct unwind_space *space, const struct unwind_table *table,
		      struct unwind_placement **placement);

/*
 * The rows may be overwritten from here on: nobody must be looking at them any more. Frees the
 * placement. NULL is allowed.
 */
void unwind_space__remove(struct unwind_space *space, struct unwind_placement *placement);

/* Of all chunks made so far. */
size_t unwind_space__chunk_bytes(const struct unwind_space *space);

/*
 * What a process needs to know about an executable mapping [start, end) of the table's file, which
 * begins at file_offset: one region a shard, in order of address. Without placement, or where the
 * table has nothing for the mapping, one region without rows. Writes at most max_regions, which
 * nr_shards + 1 always is enough for, and returns how many.
 */
size_t unwind_placement__regions(const struct unwind_placement *placement,
				 const struct unwind_table *table, uint64_t start, uint64_t end,
				 uint64_t file_offset, struct unwind_region *regions,
				 size_t max_regions);

#endif
