// SPDX-License-Identifier: GPL-2.0-only
/*
 * Maps as runtimes write them, cut and broken; and random ones against a list that is searched from
 * its end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elf/symbol_table.h"
#include "expect.h"
#include "jit_told.h"

static struct jit_bounds bounds;
static struct jit_code code;
static struct perf_map map;
static size_t allowance;
static int fd;

static void begin(void)
{
	bounds = (struct jit_bounds){.max_code_bytes = 64 << 20};
	code = (struct jit_code){.bounds = &bounds};
	map = (struct perf_map){0};
	fd = memfd_create("map", 0);
	allowance = 1 << 30;
}

static void end(void)
{
	jit_code__clear(&code);
	EXPECT_EQ(bounds.code_bytes, 0);
	close(fd);
}

static void append_bytes(const char *text, size_t bytes)
{
	EXPECT_EQ(lseek(fd, 0, SEEK_END) >= 0, true);
	EXPECT_EQ(write(fd, text, bytes), bytes);
}

static void append(const char *text)
{
	append_bytes(text, strlen(text));
}

static bool read_map(void)
{
	struct jit_told told = {0};
	const bool has_changed = perf_map__read(&map, fd, &told, &allowance);

	apply_told(&code, &told);
	return has_changed;
}

static const char *name_at(uint64_t address)
{
	struct found_symbol found;

	return jit_code__find(&code, address, &found) ? found.name : NULL;
}

static void test_lines(void)
{
	begin();
	append("7f49dc0062c0 180 JS:*fib /srv/my app.js:1:13\n"
	       "0x00007fc4f0ec7620 0x00000000000002d8 int Hot.mixA(int)\n"
	       "3A00 1F upper\n"
	       "4000\t10 \ttabs  and blanks \n"
	       "5000 10 of Windows\r\n");
	EXPECT(read_map());
	EXPECT_STR(name_at(0x7f49dc0062bf), NULL);
	EXPECT_STR(name_at(0x7f49dc0062c0), "JS:*fib /srv/my app.js:1:13");
	EXPECT_STR(name_at(0x7f49dc00643f), "JS:*fib /srv/my app.js:1:13");
	EXPECT_STR(name_at(0x7f49dc006440), NULL);
	EXPECT_STR(name_at(0x7fc4f0ec7620 + 0x2d7), "int Hot.mixA(int)");
	EXPECT_STR(name_at(0x3a1e), "upper");
	EXPECT_STR(name_at(0x400f), "tabs  and blanks ");
	EXPECT_STR(name_at(0x5000), "of Windows");
	EXPECT(!read_map());
	end();
}

static void test_broken_lines(void)
{
	static const char text[] = "\n \n1000\n1000 10\n1000 10 \nx 10 name\n1000 y name\n"
				   "-1000 10 name\n 1000 10 name\n1000,10,name\n0x 10 name\n"
				   "11112222333344445 10 too many digits\n"
				   "1000 0 empty\nffffffffffffff00 200 beyond the end\n"
				   "2000 10 zero\0byte\n";

	begin();
	append_bytes(text, sizeof(text) - 1);
	EXPECT(read_map());
	EXPECT_STR(name_at(0x1000), NULL);
	EXPECT_STR(name_at(0xffffffffffffff00), NULL);
	EXPECT_STR(name_at(0x2000), "zero");
	append("ffffffffffffff00 100 at the end\n0 1 at nothing\n");
	EXPECT(read_map());
	EXPECT_STR(name_at(UINT64_MAX), "at the end");
	EXPECT_STR(name_at(0), "at nothing");
	end();
}

/* The last line is complete when its newline is there. */
static void test_growing(void)
{
	begin();
	EXPECT(!read_map());
	append("1000 100 first\n2000 10");
	EXPECT(read_map());
	EXPECT_STR(name_at(0x2000), NULL);
	EXPECT(!read_map());
	append("0 second");
	EXPECT(!read_map());
	EXPECT_STR(name_at(0x2000), NULL);
	append(" part\n");
	EXPECT(read_map());
	EXPECT_STR(name_at(0x20ff), "second part");
	EXPECT_STR(name_at(0x1000), "first");
	end();
}

static void test_overlaps(void)
{
	begin();
	append("1000 100 old\n1100 100 neighbour\n1080 10 inside\n");
	EXPECT(read_map());
	EXPECT_STR(name_at(0x1080), "inside");
	EXPECT_STR(name_at(0x1000), NULL); /* what was there is gone */
	EXPECT_STR(name_at(0x1100), "neighbour");
	append("1000 200 all\n");
	EXPECT(read_map());
	EXPECT_STR(name_at(0x1080), "all");
	EXPECT_STR(name_at(0x1100), "all");
	append("1000 200 the same place\n");
	EXPECT(read_map());
	EXPECT_STR(name_at(0x11ff), "the same place");
	append("1000 1 \n"); /* without a name it still takes the place */
	EXPECT(read_map());
	EXPECT_STR(name_at(0x11ff), NULL);
	end();
}

/* Cut off and written anew, shorter or longer than it was. */
static void test_written_anew(void)
{
	begin();
	append("1000 100 first\n2000 100 second\n");
	EXPECT(read_map());
	EXPECT_EQ(ftruncate(fd, 0), 0);
	append("1000 100 other\n");
	EXPECT(read_map());
	EXPECT_STR(name_at(0x1000), "other");
	EXPECT_STR(name_at(0x2000), NULL);
	EXPECT_EQ(ftruncate(fd, 0), 0);
	append("3000 100 a longer text than the one that was there before\n4000 1 x\n");
	EXPECT(read_map());
	EXPECT_STR(name_at(0x1000), NULL);
	EXPECT_STR(name_at(0x3000), "a longer text than the one that was there before");
	EXPECT_EQ(ftruncate(fd, 0), 0);
	EXPECT(read_map());
	EXPECT_STR(name_at(0x3000), NULL);
	end();
}

static char *repeat(char byte, size_t nr)
{
	char *text = malloc(nr + 1);

	memset(text, byte, nr);
	text[nr] = '\0';
	return text;
}

static void test_long_lines(void)
{
	char *long_name = repeat('n', 200000);

	begin();
	append("1000 100 ");
	append(long_name);
	append("\n2000 100 after\n3000 100 ");
	append(long_name);
	EXPECT(read_map());
	EXPECT_EQ(strlen(name_at(0x1000)), JIT_MAX_NAME_BYTES);
	EXPECT_STR(name_at(0x2000), "after");
	EXPECT_EQ(strlen(name_at(0x3000)), JIT_MAX_NAME_BYTES);
	append("\n4000 100 last\n");
	EXPECT(read_map());
	EXPECT_STR(name_at(0x4000), "last");
	free(long_name);
	end();
}

/* A sparse file, of which only the end is looked at. */
static void test_huge_file(void)
{
	begin();
	append("1000 100 first\n");
	EXPECT_EQ(ftruncate(fd, 1LL << 36), 0);
	append("\n2000 100 last\n");
	EXPECT(read_map());
	EXPECT_STR(name_at(0x2000), "last");
	EXPECT(map.taken == (1ULL << 36) + strlen("\n2000 100 last\n"));
	end();
}

static void test_allowance(void)
{
	char line[64];

	begin();
	for (int i = 0; i < 20000; i++) {
		snprintf(line, sizeof(line), "%x 10 f%05d\n", 0x10000 + 16 * i, i);
		append(line);
	}
	allowance = 100000;
	EXPECT(read_map());
	EXPECT_STR(name_at(0x10000), "f00000");
	EXPECT_STR(name_at(0x10000 + 16 * 19999), NULL);
	EXPECT(!read_map());
	allowance = 1000000;
	EXPECT(read_map());
	EXPECT_STR(name_at(0x10000 + 16 * 19999), "f19999");
	end();
}

static void test_memory(void)
{
	char line[64];

	begin();
	bounds.max_code_bytes = 10000;
	for (int i = 0; i < 1000; i++) {
		snprintf(line, sizeof(line), "%x 10 f%05d\n", 0x10000 + 16 * i, i);
		append(line);
	}
	EXPECT(read_map());
	EXPECT(bounds.code_bytes <= 10000);
	EXPECT_STR(name_at(0x10000), "f00000");
	EXPECT_STR(name_at(0x10000 + 16 * 999), NULL);
	append("0 ffffffff makes room\n1 1 again\n");
	EXPECT(read_map());
	EXPECT(bounds.code_bytes < 1000);
	EXPECT_STR(name_at(0x10000 + 16 * 999), NULL);
	EXPECT_STR(name_at(1), "again");
	end();
}

/* Somebody else's file is not read at all if it is none. */
static void test_no_file(void)
{
	struct jit_told told = {0};
	int ends[2];

	begin();
	EXPECT_EQ(pipe(ends), 0);
	EXPECT(!perf_map__read(&map, ends[0], &told, &allowance));
	EXPECT_EQ(told.nr_bytes, 0);
	close(ends[0]);
	close(ends[1]);
	end();
}

/* ---- random maps ---- */

struct told_symbol {
	uint32_t start, size;
};

/* The latest that contains the address, unless a later one touched it. */
static int find_told(const struct told_symbol *told, int nr, uint32_t address)
{
	int i, later;

	for (i = nr - 1; i >= 0; i--)
		if (address - told[i].start < told[i].size)
			break;
	for (later = i + 1; i >= 0 && later < nr; later++)
		if (told[later].start < told[i].start + told[i].size &&
		    told[i].start < told[later].start + told[later].size)
			return -1;
	return i;
}

static void test_random(void)
{
	enum { NR = 400 };
	struct told_symbol told[NR];
	char line[64], expected[16];
	unsigned int seed = 1;

	begin();
	for (int i = 0; i < NR; i++) {
		told[i] = (struct told_symbol){(uint32_t)rand_r(&seed) % 4000,
					       1 + (uint32_t)rand_r(&seed) % 60};
		snprintf(line, sizeof(line), "%x %x f%d\n", told[i].start, told[i].size, i);
		append(line);
		if (i % 7 == 0)
			read_map();
	}
	read_map();
	for (uint32_t address = 0; address < 4100; address++) {
		const int i = find_told(told, NR, address);

		snprintf(expected, sizeof(expected), "f%d", i);
		EXPECT_STR(name_at(address), i < 0 ? NULL : expected);
	}
	end();
}

int main(void)
{
	static const struct test tests[] = {
		{"lines of several runtimes", test_lines},
		{"broken lines", test_broken_lines},
		{"a map that grows", test_growing},
		{"overlaps", test_overlaps},
		{"a map written anew", test_written_anew},
		{"long lines", test_long_lines},
		{"a huge file", test_huge_file},
		{"only so much at a time", test_allowance},
		{"bounded memory", test_memory},
		{"no file", test_no_file},
		{"random maps", test_random},
		{0},
	};

	return run_tests("perf_map", tests);
}
