// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables that come as bytes: a written one is read again, and any attack in one made by hand is
 * refused.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cfi_table.h"
#include "expect.h"

#define MAX_BYTES 65536

struct image_head {
	uint64_t base, head;
	uint32_t nr_segments, nr_rows;
};

struct image_segment {
	uint64_t vaddr, offset, size;
};

/* An image by hand: one segment, three rows. */
struct by_hand {
	struct image_head header;
	struct image_segment segment;
	struct unwind_row rows[3];
};

static const struct by_hand good = {
	.header = {.base = 0x10000, .head = 0x8000, .nr_segments = 1, .nr_rows = 3},
	.segment = {.vaddr = 0x11000, .offset = 0x1000, .size = 0x2000},
	.rows = {{.pc = 0, .rules = UNWIND_NONE},
		 {.pc = 0x1000,
		  .cfa_offset = 2,
		  .fp_offset = 2,
		  .rules = UNWIND_RULES(UNWIND_SP, UNWIND_FP_AT_CFA, UNWIND_RA_AT_CFA)},
		 {.pc = 0x1010, .rules = UNWIND_NONE}},
};

static int view(const void *bytes, size_t nr_bytes)
{
	struct unwind_table *seen = NULL;
	const int code = unwind_table__view(bytes, nr_bytes, &seen);

	EXPECT_EQ(!code, seen != NULL);
	unwind_table__free(seen);
	return code;
}

static void test_by_hand(void)
{
	struct unwind_table *seen = NULL;
	uint32_t nr_rows = 0;
	int64_t pc = 0;

	EXPECT_EQ(unwind_table__view(&good, sizeof(good), &seen), 0);
	if (!seen)
		return;
	EXPECT(unwind_table__rows(seen, &nr_rows) == good.rows);
	EXPECT_EQ(nr_rows, 3);
	EXPECT_EQ(unwind_table__locate(seen, 0x1000, &pc), 0);
	EXPECT_EQ(pc, 0x1000);
	EXPECT_EQ(unwind_table__locate(seen, 0x3000, &pc), -ENOENT);
	unwind_table__forget_rows(seen);
	unwind_table__rows(seen, &nr_rows);
	EXPECT_EQ(nr_rows, 0);
	unwind_table__free(seen);
}

static void test_written(void)
{
	const int fd = memfd_create("image", MFD_CLOEXEC);
	const size_t fde = (image_begin(&image), put_usual_cie(&image));
	struct unwind_table *seen = NULL;
	static char bytes[MAX_BYTES];
	const struct unwind_row *rows, *seen_rows;
	uint32_t nr = 0, nr_seen = 0;
	ssize_t nr_bytes;

	put_fde(&image, fde, 0x10, 0x20, NULL, 0);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(unwind_table__write(table, fd), 0);
	nr_bytes = pread(fd, bytes, sizeof(bytes), 0);
	EXPECT(nr_bytes > 0);
	EXPECT_EQ(unwind_table__view(bytes, (size_t)nr_bytes, &seen), 0);
	if (seen) {
		rows = unwind_table__rows(table, &nr);
		seen_rows = unwind_table__rows(seen, &nr_seen);
		EXPECT_EQ(nr_seen, nr);
		EXPECT(!memcmp(rows, seen_rows, nr * sizeof(*rows)));
	}
	for (ssize_t shorter = 0; shorter < nr_bytes; shorter++)
		EXPECT_EQ(view(bytes, (size_t)shorter), -EBADMSG);
	unwind_table__free(seen);
	close(fd);
}

static void test_nowhere_to_write(void)
{
	EXPECT(unwind_table__write(table, -1) < 0);
}

/* ---- broken ---- */

#define BROKEN(change)                                        \
	do {                                                  \
		struct by_hand bad = good;                    \
                                                              \
		bad.change;                                   \
		EXPECT_EQ(view(&bad, sizeof(bad)), -EBADMSG); \
	} while (0)

static void test_counts(void)
{
	BROKEN(header.nr_rows = 0);
	BROKEN(header.nr_rows = 2);
	BROKEN(header.nr_rows = 4);
	BROKEN(header.nr_rows = UINT32_MAX);
	BROKEN(header.nr_segments = 0);
	BROKEN(header.nr_segments = 2);
	BROKEN(header.nr_segments = UINT32_MAX);
	EXPECT_EQ(view(&good, sizeof(good) + 1), -EBADMSG);
	EXPECT_EQ(view(&good, 0), -EBADMSG);
}

/* Sizes that agree with the counts, but counts above the bounds. */
static void test_too_many(void)
{
	const uint32_t nr_rows = UNWIND_MAX_ROWS + 1, nr_segments = 33;
	const size_t nr_bytes = sizeof(struct image_head) +
				nr_segments * sizeof(struct image_segment) +
				(size_t)nr_rows * sizeof(struct unwind_row);
	char *bytes = calloc(1, nr_bytes);
	struct image_head *header = (struct image_head *)bytes;
	struct image_segment *segments = (struct image_segment *)(header + 1);
	struct unwind_row *rows;

	for (uint32_t i = 0; bytes && i < nr_segments; i++)
		segments[i] = good.segment;
	for (uint32_t extra = 0; bytes && extra < 3; extra++) { /* none, a segment, a row */
		header->nr_segments = nr_segments - (extra != 1);
		header->nr_rows = nr_rows - (extra != 2);
		rows = (struct unwind_row *)(segments + header->nr_segments);
		for (uint32_t i = 0; i < header->nr_rows; i++)
			rows[i] = (struct unwind_row){.pc = i, .rules = UNWIND_NONE};
		EXPECT_EQ(view(bytes, sizeof(*header) + header->nr_segments * sizeof(*segments) +
					      (size_t)header->nr_rows * sizeof(*rows)),
			  extra ? -EBADMSG : 0);
	}
	free(bytes);
}

static void test_segments(void)
{
	BROKEN(header.base = 0x20000);
	BROKEN(header.base = UINT64_MAX);
	BROKEN(segment.vaddr = 0xffff);
	BROKEN(segment.vaddr = 1ULL << 63);
	BROKEN(segment.vaddr = INT64_MAX);
	BROKEN(segment.size = 0);
	BROKEN(segment.size = INT64_MAX);
	BROKEN(segment.size = UINT64_MAX);
	BROKEN(segment.offset = 1ULL << 63);
	BROKEN(segment.offset = INT64_MAX);
}

static void test_order(void)
{
	BROKEN(rows[0].pc = 1);
	BROKEN(rows[1].pc = 0);
	BROKEN(rows[1].pc = 0x1010);
	BROKEN(rows[1].pc = 0x1011);
	BROKEN(rows[2].pc = 0);
	BROKEN(rows[2].pc = 0xfff);
}

static void test_kinds(void)
{
	for (unsigned int kind = UNWIND_CFAS; kind < 16; kind++)
		BROKEN(rows[1] = ((struct unwind_row){.pc = 0x1000, .rules = (uint8_t)kind}));
	BROKEN(rows[2].rules = UNWIND_CFAS);
	BROKEN(rows[0].rules = UNWIND_CFAS);
	BROKEN(rows[2].cfa_offset = 1); /* a row that says all has no other rule */
	BROKEN(rows[2].fp_offset = 1);
	BROKEN(rows[2].rules |= UNWIND_FP_AT_CFA << 4);
	BROKEN(rows[2].rules |= UNWIND_RA_LINK << 6);
}

/* With any byte changed there is a table that can be walked with, or none. */
static void test_any_byte(void)
{
	for (size_t at = 0; at < sizeof(good); at++)
		for (unsigned int value = 0; value < 256; value++) {
			struct by_hand bad = good;
			struct unwind_table *seen = NULL;
			const struct unwind_row *rows;
			uint32_t nr_rows;

			((uint8_t *)&bad)[at] = (uint8_t)value;
			if (unwind_table__view(&bad, sizeof(bad), &seen))
				continue;
			rows = unwind_table__rows(seen, &nr_rows);
			if (nr_rows != 3 || rows[0].pc || rows[1].pc >= rows[2].pc || !rows[1].pc)
				EXPECT(!"rows in order");
			unwind_table__free(seen);
		}
}

int main(void)
{
	static const struct test tests[] = {
		{"one by hand", test_by_hand},
		{"what was written", test_written},
		{"nowhere to write", test_nowhere_to_write},
		{"counts", test_counts},
		{"too many", test_too_many},
		{"segments", test_segments},
		{"order", test_order},
		{"kinds", test_kinds},
		{"any byte", test_any_byte},
		{0},
	};
	const int code = run_tests("unwind_image", tests);

	unwind_table__free(table);
	return code;
}
