// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table as bytes, in the layout of the machine on which both processes run:
 *
 *	header | segments, nr_segments of them | rows, nr_rows of them
 *
 * The process that made the bytes may be compromised. So the walk, the space and the search rely
 * only on what is checked here. Wrong rows only affect stacks of that one file.
 */
#include "unwind/unwind.h"

#include "base/files.h"
#include "unwind/cfi.h"

struct image_header {
	uint64_t base, head;
	uint32_t nr_segments, nr_rows;
};

_Static_assert(sizeof(struct image_header) + CFI_MAX_SEGMENTS * sizeof(struct cfi_segment) +
			       UNWIND_MAX_ROWS * sizeof(struct unwind_row) <=
		       UNWIND_MAX_IMAGE_BYTES,
	       "the largest table is an image");

int unwind_table__write(const struct unwind_table *table, int fd)
{
	const struct image_header header = {table->base, table->head, table->nr_segments,
					    table->nr_rows};
	int code = files__write(fd, &header, sizeof(header));

	if (!code)
		code = files__write(fd, table->segments,
				    table->nr_segments * sizeof(table->segments[0]));
	if (!code)
		code = files__write(fd, table->rows, table->nr_rows * sizeof(table->rows[0]));
	return code;
}

/* ---- reading an image ---- */

/* Whether a row could come from cfi_rows__encode(). */
static bool is_row(struct unwind_row row)
{
	const unsigned int kind = UNWIND_CFA(row.rules);

	if (kind >= UNWIND_SIGNAL)
		return kind < UNWIND_CFAS && row.rules == kind && !row.cfa_offset && !row.fp_offset;
	return true; /* whatever the other bits are, they are a kind */
}

int unwind_table__view(const void *bytes, size_t nr_bytes, struct unwind_table **out)
{
	const struct image_header *header = bytes;
	const struct cfi_segment *segments;
	const struct unwind_row *rows;
	struct unwind_table *table;

	if (nr_bytes < sizeof(*header) ||
	    (header->head > INT64_MAX && header->head != CFI_NO_HEAD) || !header->nr_segments ||
	    header->nr_segments > CFI_MAX_SEGMENTS || !header->nr_rows ||
	    header->nr_rows > UNWIND_MAX_ROWS ||
	    nr_bytes != sizeof(*header) + header->nr_segments * sizeof(*segments) +
				header->nr_rows * sizeof(*rows))
		return -EBADMSG;
	segments = (const void *)(header + 1);
	rows = (const void *)(segments + header->nr_segments);
	for (uint32_t i = 0; i < header->nr_segments; i++) {
		const struct cfi_segment *segment = &segments[i];

		if (segment->vaddr < header->base || segment->vaddr > INT64_MAX || !segment->size ||
		    segment->size > INT64_MAX - segment->vaddr || segment->offset > INT64_MAX ||
		    segment->size > INT64_MAX - segment->offset)
			return -EBADMSG;
	}
	for (uint32_t i = 0; i < header->nr_rows; i++)
		if ((i ? rows[i].pc <= rows[i - 1].pc : rows[i].pc != 0) || !is_row(rows[i]))
			return -EBADMSG;
	table = xcalloc(1, sizeof(*table));
	table->rows = rows;
	table->nr_rows = header->nr_rows;
	table->base = header->base;
	table->head = header->head;
	table->nr_segments = header->nr_segments;
	memcpy(table->segments, segments, header->nr_segments * sizeof(*segments));
	*out = table;
	return 0;
}
