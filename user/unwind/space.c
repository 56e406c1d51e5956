// SPDX-License-Identifier: GPL-2.0-only
/*
 * A first-fit allocator of rows, in blocks of eight cache lines, each with an entry in the index.
 * Which blocks are used is a byte each: 1 KB a chunk, which is searched when a file is first seen
 * and when one is dropped.
 */
#include "unwind/unwind.h"

#include "unwind/cfi.h"

#define BLOCK_ROWS  UNWIND_BLOCK_ROWS
#define NR_BLOCKS   UNWIND_CHUNK_BLOCKS
#define CHUNK_BYTES (UNWIND_CHUNK_ENTRIES * sizeof(struct unwind_row))

struct unwind_chunk {
	struct unwind_row *rows; /* the owner's */
	uint8_t used[NR_BLOCKS];
};

void unwind_space__fini(struct unwind_space *space)
{
	free(space->chunks);
}

static uint32_t blocks_of(uint32_t nr_rows)
{
	return (nr_rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
}

static void mark(struct unwind_space *space, const struct unwind_shard *shard, bool used)
{
	memset(space->chunks[shard->chunk].used + shard->first / BLOCK_ROWS, used,
	       blocks_of(shard->nr_rows));
}

/* The first of nr free blocks in a row; NR_BLOCKS if there are none. */
static uint32_t find_run(const struct unwind_chunk *chunk, uint32_t nr)
{
	uint32_t i, run = 0;

	for (i = 0; i < NR_BLOCKS; i++) {
		run = chunk->used[i] ? 0 : run + 1;
		if (run == nr)
			return i + 1 - nr;
	}
	return NR_BLOCKS;
}

/* Finds room for shard->nr_rows, at most a chunk's, and takes it. */
static int take(struct unwind_space *space, struct unwind_shard *shard)
{
	uint32_t nr = blocks_of(shard->nr_rows), block = NR_BLOCKS;
	struct unwind_row *rows;
	size_t i;

	for (i = 0; i < space->nr_chunks; i++) {
		block = find_run(&space->chunks[i], nr);
		if (block < NR_BLOCKS)
			break;
	}
	if (block == NR_BLOCKS) {
		if ((space->nr_chunks + 1) * CHUNK_BYTES > space->max_bytes)
			return -ENOSPC;
		rows = space->new_chunk(space->context, (uint32_t)space->nr_chunks);
		if (!rows)
			return -ENOMEM;
		array__reserve(&space->chunks, &space->capacity, space->nr_chunks + 1);
		space->chunks[space->nr_chunks++] = (struct unwind_chunk){.rows = rows};
		block = 0;
	}
	shard->chunk = (uint32_t)i;
	shard->first = block * BLOCK_ROWS;
	mark(space, shard, true);
	return 0;
}

static int add_shard(struct unwind_space *space, struct unwind_placement *placement,
		     const struct unwind_row *rows, uint32_t nr_rows)
{
	struct unwind_shard *shard = &placement->shards[placement->nr_shards];
	struct unwind_row *index;
	struct unwind_chunk *chunk;
	int err;

	*shard = (struct unwind_shard){.pc = rows[0].pc, .nr_rows = nr_rows};
	err = take(space, shard);
	if (err)
		return err;
	chunk = &space->chunks[shard->chunk];
	memcpy(chunk->rows + shard->first, rows, nr_rows * sizeof(*rows));
	index = chunk->rows + UNWIND_CHUNK_ROWS + shard->first / BLOCK_ROWS;
	for (uint32_t row = 0; row < nr_rows; row += BLOCK_ROWS)
		*index++ = rows[row];
	placement->nr_shards++;
	return 0;
}

int unwind_space__add(struct unwind_space *space, const struct unwind_table *table,
		      struct unwind_placement **placement)
{
	uint32_t nr_rows, done, part;
	const struct unwind_row *rows = unwind_table__rows(table, &nr_rows);
	size_t nr_shards = nr_rows / UNWIND_CHUNK_ROWS + 1;
	struct unwind_placement *placed;
	int err = 0;

	placed = xmalloc(sizeof(*placed) + nr_shards * sizeof(*placed->shards));
	placed->nr_shards = 0;
	for (done = 0; done < nr_rows && !err; done += part) {
		part = nr_rows - done < UNWIND_CHUNK_ROWS ? nr_rows - done : UNWIND_CHUNK_ROWS;
		err = add_shard(space, placed, rows + done, part);
	}
	if (err)
		unwind_space__remove(space, placed);
	else
		*placement = placed;
	return err;
}

void unwind_space__remove(struct unwind_space *space, struct unwind_placement *placement)
{
	size_t i;

	if (!placement)
		return;
	for (i = 0; i < placement->nr_shards; i++)
		mark(space, &placement->shards[i], false);
	free(placement);
}

/* The part of a mapping that a shard speaks about; false if there is none. */
static bool clip(struct unwind_region *region, const struct unwind_placement *placement, size_t i,
		 uint64_t end)
{
	const struct unwind_shard *shard = &placement->shards[i];
	const int64_t from = (int64_t)(region->bias + shard->pc);
	int64_t to = (int64_t)end;

	if (i + 1 < placement->nr_shards && (int64_t)(region->bias + shard[1].pc) < to)
		to = (int64_t)(region->bias + shard[1].pc);
	if (from > (int64_t)region->start)
		region->start = (uint64_t)from;
	region->end = (uint64_t)to;
	region->chunk = shard->chunk;
	region->first = shard->first;
	region->nr_rows = shard->nr_rows;
	return to > (int64_t)region->start;
}

/* The table's pc where the memory's byte of the file is. */
static int locate(const struct unwind_table *table, const struct unwind_memory *memory, int64_t *pc)
{
	if (!memory->is_head)
		return unwind_table__locate(table, memory->offset, pc);
	*pc = (int64_t)(table->head - table->base);
	return table->head == CFI_NO_HEAD ? -ENOENT : 0;
}

size_t unwind_placement__regions(const struct unwind_placement *placement,
				 const struct unwind_table *table,
				 const struct unwind_memory *memory, struct unwind_region *regions,
				 size_t max_regions)
{
	struct unwind_region region;
	size_t nr = 0, i;
	int64_t pc;

	if (placement && !locate(table, memory, &pc))
		for (i = 0; i < placement->nr_shards && nr < max_regions; i++) {
			region = (struct unwind_region){.start = memory->start,
							.bias = memory->mapped - (uint64_t)pc};
			if (clip(&region, placement, i, memory->end))
				regions[nr++] = region;
		}
	if (!nr && max_regions)
		regions[nr++] = (struct unwind_region){.start = memory->start, .end = memory->end};
	return nr;
}
