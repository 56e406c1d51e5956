// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes the answer of a reader of unwind tables that an attacker has taken over. The first byte
 * says whether its counts and the order of its rows are mended, so that others of its fields are
 * looked at; or that only the interpreter is looked at, which comes before them.
 *
 * The answer is refused, or it is a table that can be searched and be given its place, wherever its
 * file is mapped, and an interpreter whose frames and code can be read.
 */
#include "../unit/unwind_row.h"
#include "interpreters/interpreters.h"
#include "require.h"

enum { MENDS_COUNTS = 1, MENDS_ROWS = 2, IS_INTERPRETER = 4 };

/* These structs are as in unwind/image.c. */
struct table_head {
	uint64_t base, head;
	uint32_t nr_segments, nr_rows;
};

struct table_segment {
	uint64_t vaddr, offset, size;
};

#define MAX_SEGMENTS 32
#define MAX_REGIONS  64
#define MAX_CHUNKS   4

static void mend_rows(struct unwind_row *rows, uint32_t nr_rows)
{
	uint32_t pc = 0;

	for (uint32_t i = 0; i < nr_rows; i++) {
		rows[i].pc = pc;
		pc += rows[i + 1 < nr_rows ? i + 1 : 0].pc % 64 + 1;
		if (UNWIND_CFA(rows[i].rules) >= UNWIND_SIGNAL)
			rows[i] = (struct unwind_row){.pc = rows[i].pc, .rules = UNWIND_NONE};
		rows[i].rules &= 0x7f; /* the last place of a return address is none */
	}
}

static void mend(void *bytes, size_t size, uint8_t what)
{
	struct table_head *header = bytes;
	struct table_segment *segments = (void *)(header + 1);
	size_t left;

	if (size < sizeof(*header) + sizeof(*segments))
		return;
	left = size - sizeof(*header);
	header->nr_segments = header->nr_segments % MAX_SEGMENTS + 1;
	while (header->nr_segments * sizeof(*segments) > left)
		header->nr_segments /= 2;
	left -= header->nr_segments * sizeof(*segments);
	header->nr_rows = (uint32_t)(left / sizeof(struct unwind_row));
	header->base &= UINT32_MAX;
	if (header->head != UINT64_MAX) /* it is loaded */
		header->head &= INT64_MAX;
	for (uint32_t i = 0; i < header->nr_segments; i++) {
		segments[i].vaddr = header->base + (segments[i].vaddr & INT32_MAX);
		segments[i].offset &= INT64_MAX >> 1;
		segments[i].size = (segments[i].size & INT32_MAX) + 1;
	}
	if (what & MENDS_ROWS)
		mend_rows((struct unwind_row *)(segments + header->nr_segments), header->nr_rows);
}

static void check_rows(const struct unwind_table *table)
{
	uint32_t nr;
	const struct unwind_row *rows = unwind_table__rows(table, &nr);

	require(nr > 0 && nr <= UNWIND_MAX_ROWS && rows[0].pc == 0);
	for (uint32_t i = 0; i < nr; i++) {
		require(UNWIND_CFA(rows[i].rules) < UNWIND_CFAS);
		require(i == 0 || rows[i - 1].pc < rows[i].pc);
	}
	require(find_row(table, rows[nr - 1].pc) == &rows[nr - 1]);
}

static struct unwind_row *new_chunk(void *context, uint32_t chunk)
{
	struct unwind_row **chunks = context;

	require(chunk < MAX_CHUNKS);
	return chunks[chunk] = calloc(UNWIND_CHUNK_ENTRIES, sizeof(struct unwind_row));
}

/* Requires that regions are within the mapping, in order, and that their rows are in our chunks. */
static void check_regions(const struct unwind_placement *placement,
			  const struct unwind_table *table, uint64_t start, uint64_t offset)
{
	const uint64_t end = start + 0x10000000;
	struct unwind_region regions[MAX_REGIONS];
	const struct unwind_memory memory = {start, end, start, offset, false};
	const size_t nr =
		unwind_placement__regions(placement, table, &memory, regions, MAX_REGIONS);

	require(nr >= 1 && nr <= placement->nr_shards + 1);
	for (size_t i = 0; i < nr; i++) {
		require(regions[i].start >= (i ? regions[i - 1].end : start));
		require(regions[i].start < regions[i].end && regions[i].end <= end);
		require(regions[i].chunk < MAX_CHUNKS);
		require(regions[i].first + regions[i].nr_rows <= UNWIND_CHUNK_ROWS);
	}
}

static void map_it(const struct unwind_placement *placement, const struct unwind_table *table,
		   const struct table_head *header)
{
	const struct table_segment *segments = (const void *)(header + 1);

	for (uint32_t i = 0; i < header->nr_segments; i++) {
		check_regions(placement, table, 0x400000, segments[i].offset);
		check_regions(placement, table, 0x7ffff7c00000, segments[i].offset & ~4095ULL);
		check_regions(placement, table, 4096, segments[i].offset + segments[i].size - 1);
	}
}

static void place(const struct unwind_table *table, const struct table_head *header)
{
	struct unwind_row *chunks[MAX_CHUNKS] = {0};
	struct unwind_space space = {.max_bytes = MAX_CHUNKS * UNWIND_CHUNK_ENTRIES *
						  sizeof(struct unwind_row),
				     .new_chunk = new_chunk,
				     .context = chunks};
	struct unwind_placement *placement = NULL;

	if (!unwind_space__add(&space, table, &placement))
		map_it(placement, table, header);
	unwind_space__remove(&space, placement);
	unwind_space__fini(&space);
	for (size_t i = 0; i < MAX_CHUNKS; i++)
		free(chunks[i]);
}

static void check_interpreter(const uint8_t *data, size_t size)
{
	struct interpreter any;

	if (size < sizeof(any))
		return;
	memcpy(&any, data, sizeof(any));
	if (!interpreter__is_sane(&any) || !any.language)
		return;
	require(any.frame_bytes <= INTERPRETER_FRAME_BYTES);
	require(any.code_bytes <= INTERPRETER_CODE_BYTES);
	require(any.nr_hops && any.nr_hops <= INTERPRETER_MAX_HOPS);
	require(any.back_at + 8 <= any.frame_bytes && any.code_at + 8 <= any.frame_bytes);
	require(any.position_at + 8 <= any.frame_bytes && any.entry_at + 8 <= any.frame_bytes);
	require(any.name_at + 8 <= any.code_bytes && any.file_at + 8 <= any.code_bytes);
	require(any.lines_at + 8 <= any.code_bytes && any.first_line_at + 8 <= any.code_bytes);
	require(any.type_at + 8 <= any.code_bytes && any.hashed_name_at + 8 <= any.code_bytes);
	require(any.cookie_at == NO_FIELD || any.cookie_at + 8 <= any.code_bytes);
	require(any.owner_at == NO_FIELD || any.owner_at + 8 <= any.code_bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct unwind_table *table = NULL;
	size_t nr_bytes = size - 1;
	void *bytes;

	if (size == 0)
		return 0;
	if (data[0] & IS_INTERPRETER) {
		check_interpreter(data + 1, size - 1);
		return 0;
	}
	if (data[0] & MENDS_COUNTS)
		nr_bytes -= nr_bytes % sizeof(struct unwind_row);
	bytes = copy_of(data + 1, nr_bytes);
	if (data[0] & MENDS_COUNTS)
		mend(bytes, nr_bytes, data[0]);
	if (!unwind_table__view(bytes, nr_bytes, &table)) {
		check_rows(table);
		place(table, bytes);
		unwind_table__free(table);
	}
	free(bytes);
	return 0;
}
