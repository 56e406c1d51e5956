// SPDX-License-Identifier: GPL-2.0-only
/*
 * The answer of a reader of ELF files, as it is, cut, and with every field and every byte broken:
 * it is refused, or everything in it is within its bytes.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "elf/object.h"
#include "elf/symbol_table.h"
#include "expect.h"

#define NR_SEGMENTS 2
#define NR_RANGES   3
#define BASE	    0x401000

/* As elf/symbol_table.c has it. */
struct table_header {
	uint64_t base, nr_ranges, names_bytes;
};

struct range_bytes {
	uint32_t start, size, into, name;
};

static const char names[] = "one\0two\0three";

struct object_bytes {
	struct object_header header;
	struct object_segment segments[NR_SEGMENTS];
	struct table_header table;
	struct range_bytes ranges[NR_RANGES];
	char names[sizeof(names)];
};

#define NR_BYTES (offsetof(struct object_bytes, names) + sizeof(names))

static struct object_bytes good(void)
{
	struct object_bytes answer = {
		.header = {.magic = OBJECT_MAGIC,
			   .entry = BASE,
			   .nr_segments = NR_SEGMENTS,
			   .build_id = "3f2a9c"},
		.segments = {{0, 0x1000, 0x400000, 0}, {0x1000, 0x1000, BASE, 1}},
		.table = {BASE, NR_RANGES, sizeof(names)},
		.ranges = {{0, 16, 0, 0}, {16, 32, 0, 4}, {64, 8, 4, 8}},
	};

	memcpy(answer.names, names, sizeof(names));
	return answer;
}

static int open_bytes(const struct object_bytes *answer, size_t nr_bytes)
{
	struct object *object = NULL;
	void *bytes = aligned_alloc(8, (nr_bytes + 15) & ~(size_t)7);
	int code;

	memcpy(bytes, answer, nr_bytes);
	code = object__open(bytes, nr_bytes, &object);
	object__free(object);
	free(bytes);
	return code;
}

static int open_it(const struct object_bytes *answer)
{
	return open_bytes(answer, NR_BYTES);
}

static void test_good(void)
{
	const struct object_bytes answer = good();
	struct object *object = NULL;
	struct found_symbol found;
	uint64_t address;

	EXPECT_EQ(object__open(&answer, NR_BYTES, &object), 0);
	EXPECT(object__address(object, 0x1010, &address) && address == BASE + 16);
	EXPECT(symbol_table__find(object->table, address, &found));
	EXPECT_STR(found.name, "two");
	EXPECT(symbol_table__find(object->table, BASE + 65, &found));
	EXPECT_STR(found.name, "three");
	EXPECT_EQ(found.start, BASE + 60);
	EXPECT(!symbol_table__find(object->table, BASE + 48, &found));
	EXPECT(object__is_entry(object, BASE));
	object__free(object);
}

#define EXPECT_REFUSED(breaks)                         \
	do {                                           \
		struct object_bytes answer = good();   \
                                                       \
		breaks;                                \
		EXPECT_EQ(open_it(&answer), -EBADMSG); \
	} while (0)

static void test_fields(void)
{
	EXPECT_REFUSED(answer.header.magic++);
	EXPECT_REFUSED(answer.header.nr_segments++);
	EXPECT_REFUSED(answer.header.nr_segments--);
	EXPECT_REFUSED(answer.header.nr_segments = UINT32_MAX);
	EXPECT_REFUSED(answer.header.nr_segments = OBJECT_MAX_SEGMENTS + 1);
	EXPECT_REFUSED(memset(answer.header.build_id, 'a', sizeof(answer.header.build_id)));
	EXPECT_REFUSED(answer.header.build_id[1] = '\n');
	EXPECT_REFUSED(answer.table.nr_ranges++);
	EXPECT_REFUSED(answer.table.nr_ranges--);
	EXPECT_REFUSED(answer.table.nr_ranges = UINT64_MAX / sizeof(struct range_bytes) + 1);
	EXPECT_REFUSED(answer.table.names_bytes++);
	EXPECT_REFUSED(answer.table.names_bytes = UINT64_MAX);
	EXPECT_REFUSED(answer.table.base = UINT64_MAX - 8);
	EXPECT_REFUSED(answer.ranges[1].start = 15); /* overlaps with the one before */
	EXPECT_REFUSED(answer.ranges[0].size = 17);
	EXPECT_REFUSED(answer.ranges[2].start = 0); /* goes back */
	EXPECT_REFUSED(answer.ranges[0].size = UINT32_MAX);
	EXPECT_REFUSED(answer.ranges[1].size = 0);
	EXPECT_REFUSED(answer.ranges[2].name = sizeof(names));
	EXPECT_REFUSED(answer.ranges[2].name = UINT32_MAX);
	EXPECT_REFUSED((answer.table.base = 0, answer.ranges[2].into = 65));
	EXPECT_REFUSED(answer.names[sizeof(names) - 1] = 'x');
}

static void test_cut(void)
{
	const struct object_bytes answer = good();

	for (size_t nr_bytes = 0; nr_bytes < NR_BYTES; nr_bytes++)
		EXPECT_EQ(open_bytes(&answer, nr_bytes), -EBADMSG);
}

/* With any byte changed, names are within the answer, and symbols around the address. */
static void test_bytes(void)
{
	size_t nr_opened = 0;

	for (size_t i = 0; i < NR_BYTES; i++) {
		for (int value = 0; value < 256; value += 5) {
			struct object_bytes answer = good();
			struct object *object = NULL;
			struct found_symbol found;

			((unsigned char *)&answer)[i] = (unsigned char)value;
			if (object__open(&answer, NR_BYTES, &object))
				continue;
			nr_opened++;
			for (uint64_t address = BASE - 8; address < BASE + 300; address += 4)
				if (symbol_table__find(object->table, address, &found))
					EXPECT(found.start <= address &&
					       found.name >= answer.names &&
					       found.name + strlen(found.name) <
						       answer.names + sizeof(names));
			object__free(object);
		}
	}
	EXPECT(nr_opened > 0);
}

int main(void)
{
	static const struct test tests[] = {
		{"as it is", test_good},
		{"every field", test_fields},
		{"cut anywhere", test_cut},
		{"every byte", test_bytes},
		{0},
	};

	return run_tests("object_answer", tests);
}
