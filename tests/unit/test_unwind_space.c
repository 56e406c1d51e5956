// SPDX-License-Identifier: GPL-2.0-only
#include "unwind/unwind.h"

#include <errno.h>

#include "cfi_table.h"
#include "expect.h"
#include "image_file.h"

#define MAX_CHUNKS  8
#define CHUNK_BYTES (UNWIND_CHUNK_ENTRIES * sizeof(struct unwind_row))

static struct unwind_row *chunks[MAX_CHUNKS];
static unsigned int nr_chunks, max_chunks;

static struct unwind_row *new_chunk(void *context, uint32_t chunk)
{
	EXPECT(context == &nr_chunks);
	EXPECT_EQ(chunk, nr_chunks);
	if (nr_chunks == max_chunks)
		return NULL;
	chunks[nr_chunks] = calloc(UNWIND_CHUNK_ENTRIES, sizeof(struct unwind_row));
	return chunks[nr_chunks++];
}

static struct unwind_space *begin(size_t max_bytes)
{
	static struct unwind_space space;

	space = (struct unwind_space){
		.max_bytes = max_bytes, .new_chunk = new_chunk, .context = &nr_chunks};
	nr_chunks = 0;
	max_chunks = MAX_CHUNKS;
	return &space;
}

static void end(struct unwind_space *space)
{
	unwind_space__fini(space);
	while (nr_chunks)
		free(chunks[--nr_chunks]);
}

/* The caller's to free. */
static struct unwind_table *make_table(uint32_t nr)
{
	struct unwind_table *made = NULL;
	size_t nr_bytes;
	uint8_t *large = make_large_image(nr, &nr_bytes);

	EXPECT(large && !build_table_of(large, nr_bytes, &made));
	free(large);
	return made;
}

/* The index's entry of the row's block says where the block begins. */
static void expect_indexed(const struct unwind_region *region, uint32_t row)
{
	const struct unwind_row *chunk = chunks[region->chunk];
	uint32_t block = (region->first + row) / UNWIND_BLOCK_ROWS;

	EXPECT_EQ(region->first % UNWIND_BLOCK_ROWS, 0);
	EXPECT_EQ(chunk[UNWIND_CHUNK_ROWS + block].pc, chunk[block * UNWIND_BLOCK_ROWS].pc);
}

/* Finds the row as the BPF program does: the region of the address, then its row. */
static const struct unwind_row *look_up(const struct unwind_region *regions, size_t nr,
					uint64_t address)
{
	const struct unwind_row *rows;
	uint64_t pc;
	uint32_t i;
	size_t j;

	for (j = 0; j < nr; j++)
		if (address >= regions[j].start && address < regions[j].end)
			break;
	if (j == nr || !regions[j].nr_rows)
		return NULL;
	pc = address - regions[j].bias;
	rows = chunks[regions[j].chunk] + regions[j].first;
	EXPECT(rows[0].pc <= pc);
	for (i = 1; i < regions[j].nr_rows && rows[i].pc <= pc; i++)
		;
	expect_indexed(&regions[j], i - 1);
	return &rows[i - 1];
}

static void expect_same_rows(const struct unwind_table *made, const struct unwind_region *regions,
			     size_t nr, uint64_t start, uint64_t pc)
{
	const struct unwind_row *found = look_up(regions, nr, start + pc - TEXT);
	const struct unwind_row *expected = find_row(made, pc);

	EXPECT(found != NULL);
	if (found)
		EXPECT(!memcmp(found, expected, sizeof(*found)));
}

/* All of its chunks can be had again: the largest table that fits does. */
static void expect_empty(struct unwind_space *space)
{
	const size_t bytes = (space->nr_chunks * CHUNK_BYTES);
	struct unwind_table *largest = make_table((uint32_t)(bytes / CHUNK_BYTES) * 65000);
	struct unwind_placement *placement = NULL;

	EXPECT_EQ(unwind_space__add(space, largest, &placement), 0);
	EXPECT_EQ((space->nr_chunks * CHUNK_BYTES), bytes);
	unwind_space__remove(space, placement);
	unwind_table__free(largest);
}

static void test_large_table_in_shards(void)
{
	const uint64_t start = 0x7f0000000000, last = TEXT + 150000;
	struct unwind_space *space = begin(3 * CHUNK_BYTES);
	struct unwind_table *made = make_table(150000);
	struct unwind_placement *placement = NULL;
	struct unwind_region regions[8];
	uint64_t pc;
	size_t nr, i;

	EXPECT_EQ(unwind_space__add(space, made, &placement), 0);
	if (!placement)
		return;
	EXPECT_EQ(placement->nr_shards, 3);
	nr = unwind_placement__regions(
		placement, made,
		&(struct unwind_memory){start, start + 0x100000, start, TEXT, false}, regions, 8);
	EXPECT_EQ(nr, 3);
	EXPECT_EQ(regions[0].start, start);
	EXPECT_EQ(regions[2].end, start + 0x100000);
	for (i = 1; i < nr; i++)
		EXPECT_EQ(regions[i].start, regions[i - 1].end);
	for (pc = TEXT; pc < last; pc += 4999)
		expect_same_rows(made, regions, nr, start, pc);
	for (i = 1; i < nr; i++) {
		expect_same_rows(made, regions, nr, start, regions[i].start - regions[i].bias);
		expect_same_rows(made, regions, nr, start, regions[i].start - regions[i].bias - 1);
	}
	/* A mapping of its middle only, as after a change of protection. */
	nr = unwind_placement__regions(
		placement, made,
		&(struct unwind_memory){start, start + 0x1000, start, TEXT + 0xf800, false},
		regions, 8);
	EXPECT_EQ(nr, 2);
	EXPECT_EQ(regions[0].end, regions[1].start);
	EXPECT_EQ(regions[1].end, start + 0x1000);
	/*
	 * The memory holds a copy of all from before the text on, and the rest is mapped behind it.
	 */
	nr = unwind_placement__regions(placement, made,
				       &(struct unwind_memory){start - 0x2000, start + 0x40000,
							       start + 0x40000, TEXT + 0x40000,
							       false},
				       regions, 8);
	EXPECT(nr >= 2);
	EXPECT_EQ(regions[nr - 1].end, start + 0x40000);
	for (pc = TEXT; pc < TEXT + 0x40000; pc += 4999)
		expect_same_rows(made, regions, nr, start, pc);
	unwind_space__remove(space, placement);
	expect_empty(space);
	unwind_table__free(made);
	end(space);
}

static void test_regions_without_rows(void)
{
	struct unwind_table *made = make_table(10);
	const struct unwind_memory memory = {4096, 8192, 4096, 0, false};
	struct unwind_region region = {.nr_rows = 1};

	EXPECT_EQ(unwind_placement__regions(NULL, NULL, &memory, &region, 1), 1);
	EXPECT_EQ(region.nr_rows, 0);
	EXPECT_EQ(region.start, 4096);
	EXPECT_EQ(region.end, 8192);
	EXPECT_EQ(unwind_placement__regions(NULL, made, &memory, &region, 0), 0);
	unwind_table__free(made);
}

static void test_room_is_reused(void)
{
	struct unwind_space *space = begin(2 * CHUNK_BYTES + 1);
	struct unwind_table *large = make_table(60000), *small = make_table(5000);
	struct unwind_placement *first = NULL, *second = NULL, *third = NULL, *fourth = NULL;

	EXPECT_EQ(unwind_space__add(space, large, &first), 0);
	EXPECT_EQ(unwind_space__add(space, small, &second), 0);
	EXPECT_EQ(second->shards[0].chunk, 0);
	EXPECT_EQ(unwind_space__add(space, large, &third), 0);
	EXPECT_EQ(third->shards[0].chunk, 1);
	EXPECT_EQ(unwind_space__add(space, large, &fourth), -ENOSPC);
	EXPECT(!fourth);
	EXPECT_EQ((space->nr_chunks * CHUNK_BYTES), 2 * CHUNK_BYTES);

	unwind_space__remove(space, first);
	EXPECT_EQ(unwind_space__add(space, large, &fourth), 0);
	EXPECT_EQ(fourth->shards[0].chunk, 0);
	EXPECT_EQ(fourth->shards[0].first, 0);
	/* The small one beside it was not touched. */
	EXPECT(!memcmp(chunks[0] + second->shards[0].first, find_row(small, 0),
		       second->shards[0].nr_rows * sizeof(struct unwind_row)));
	unwind_space__remove(space, second);
	unwind_space__remove(space, third);
	unwind_space__remove(space, fourth);
	unwind_space__remove(space, NULL);
	expect_empty(space);
	EXPECT_EQ(nr_chunks, 2);
	unwind_table__free(large);
	unwind_table__free(small);
	end(space);
}

/* The chunks of the first shards are given back when there is no room for the last. */
static void test_no_room_for_all(void)
{
	struct unwind_space *space = begin(2 * CHUNK_BYTES);
	struct unwind_table *made = make_table(200000);
	struct unwind_placement *placement = NULL;

	EXPECT_EQ(unwind_space__add(space, made, &placement), -ENOSPC);
	expect_empty(space);
	end(space);

	space = begin(64 << 20);
	max_chunks = 1;
	EXPECT_EQ(unwind_space__add(space, made, &placement), -ENOMEM);
	expect_empty(space);
	EXPECT(!placement);
	unwind_table__free(made);
	end(space);
}

static void test_forgotten_rows(void)
{
	struct unwind_table *made = make_table(1000);
	uint32_t nr = 1;
	int64_t pc;

	unwind_table__forget_rows(made);
	unwind_table__rows(made, &nr);
	EXPECT_EQ(nr, 0);
	EXPECT_EQ(find_row(made, TEXT)->rules, UNWIND_NONE);
	EXPECT_EQ(unwind_table__locate(made, TEXT, &pc), 0);
	unwind_table__free(made);
	unwind_table__free(table);
}

int main(void)
{
	static const struct test tests[] = {
		{"a large table in shards", test_large_table_in_shards},
		{"regions without rows", test_regions_without_rows},
		{"room is reused, others stay", test_room_is_reused},
		{"no room for all of a table", test_no_room_for_all},
		{"rows that are forgotten", test_forgotten_rows},
		{0},
	};

	return run_tests("unwind_space", tests);
}
