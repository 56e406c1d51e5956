// SPDX-License-Identifier: GPL-2.0-only
/* Names that are told after their addresses were sampled: which of them are certain. */
#include "symbols/jit/late_table.h"

#include <stdio.h>
#include <string.h>

#include "jit_told.h"

#define ROOM (1 << 20)

static struct jit_bounds code_bounds;
static struct jit_code code;
static struct late_bounds bounds;
static struct late_table table;

static void begin(enum late_source source)
{
	code_bounds = (struct jit_bounds){.max_code_bytes = ROOM};
	bounds = (struct late_bounds){.max_bytes = ROOM, .work = 1000};
	table = (struct late_table){.bounds = &bounds};
	code = (struct jit_code){.bounds = &code_bounds, .late = &table, .source = source};
}

static void end(void)
{
	code.late = NULL;
	jit_code__clear(&code);
	late_table__fini(&table);
	EXPECT_EQ(bounds.bytes, 0);
}

/* The address is sampled between two times. */
static void want(uint64_t address, uint64_t from_ns, uint64_t to_ns)
{
	late_table__want(&table, address, &(struct late_window){from_ns, to_ns});
}

static void tell(const struct jit_record *record, const char *name)
{
	struct jit_record named = *record;
	struct jit_told told = {0};

	named.name_bytes = (uint32_t)strlen(name);
	jit_told__add(&told, &named, name);
	apply_told(&code, &told);
}

/* Tells of a function; with time_ns 0 in a map. */
static void load(uint64_t start, uint64_t size, const char *name, uint64_t time_ns)
{
	tell(&(struct jit_record){.start = start, .size = size, .time_ns = time_ns}, name);
}

static void write_anew(void)
{
	tell(&(struct jit_record){.operation = JIT_CLEAR}, "");
}

/* "?": nothing is known; "!": different functions were there. */
static const char *named(uint64_t address)
{
	const char *name;
	uint64_t start;

	switch (late_table__find(&table, address, &name, &start)) {
	case LATE_NAMED:
		EXPECT(start <= address);
		return name;
	case LATE_REUSED:
		return "!";
	default:
		return "?";
	}
}

/* ---- maps: all that covers an address must agree ---- */

static void test_map(void)
{
	begin(LATE_MAP);
	want(0x1008, 0, 10);
	want(0x1010, 0, 10);
	want(0x2000, 0, 10);
	EXPECT_STR(named(0x1008), "?");
	load(0x1000, 0x10, "f", 0);
	load(0x2000, 1, "g", 0);
	EXPECT_STR(named(0x1008), "f");
	EXPECT_STR(named(0x1010), "?"); /* one behind it */
	EXPECT_STR(named(0x2000), "g");
	EXPECT_STR(named(0x2001), "?"); /* not asked for */
	EXPECT_EQ(late_table__nr_reused(&table), 0);
	end();
}

static void test_map_of_reused_memory(void)
{
	begin(LATE_MAP);
	want(0x1000, 0, 10);
	want(0x1008, 0, 10);
	load(0x1000, 0x10, "f", 0);
	load(0x1008, 0x10, "g", 0);
	EXPECT_STR(named(0x1000), "f");
	EXPECT_STR(named(0x1008), "!");
	load(0x1008, 0x10, "g", 0);
	EXPECT_STR(named(0x1008), "!"); /* it stays so */
	EXPECT_EQ(late_table__nr_reused(&table), 1);
	end();
}

static void test_map_written_anew(void)
{
	begin(LATE_MAP);
	want(0x1000, 0, 10);
	want(0x2000, 0, 10);
	load(0x1000, 0x10, "f", 0);
	load(0x2000, 0x10, "g", 0);
	write_anew();
	EXPECT_STR(named(0x1000), "f"); /* a reading that does not cover it says nothing */
	load(0x1000, 0x20, "f", 0);	/* elsewhere, perhaps: the name counts */
	load(0x2000, 0x10, "other", 0);
	EXPECT_STR(named(0x1000), "f");
	EXPECT_STR(named(0x2000), "!");
	end();
}

/* A map that was read before the first question counts, too. */
static void test_map_of_the_past(void)
{
	begin(LATE_MAP);
	load(0x1000, 0x10, "f", 0);
	load(0x2000, 0x10, "g", 0);
	load(0x3000, 0x10, "h", 0);
	load(0x3008, 0x10, "i", 0);
	write_anew();
	want(0x1008, 50, 60);
	want(0x2008, 50, 60);
	want(0x3008, 50, 60);
	EXPECT_STR(named(0x1008), "?");
	load(0x1000, 0x10, "f", 0);
	load(0x2000, 0x10, "other", 0);
	load(0x3000, 0x20, "h", 0);
	EXPECT_STR(named(0x1008), "f");
	EXPECT_STR(named(0x2008), "!");
	EXPECT_STR(named(0x3008), "!");
	end();
}

/* ---- dumps: the code of that time ---- */

static void test_dump(void)
{
	begin(LATE_DUMP);
	want(0x1000, 100, 200);
	want(0x2000, 100, 200);
	want(0x3000, 100, 200);
	load(0x1000, 0x10, "before", 50);
	load(0x2000, 0x10, "meanwhile", 150);
	load(0x3000, 0x10, "after", 250);
	EXPECT_STR(named(0x1000), "before");
	EXPECT_STR(named(0x2000), "meanwhile");
	EXPECT_STR(named(0x3000), "?");
	end();
}

static void test_dump_of_reused_memory(void)
{
	begin(LATE_DUMP);
	for (uint64_t address = 0x1000; address <= 0x5000; address += 0x1000) {
		want(address, 100, 200);
		load(address, 0x10, "first", 10);
	}
	load(0x1000, 0x10, "second", 20); /* of which there was nothing left */
	load(0x2000, 0x10, "second", 150);
	load(0x3000, 0x10, "second", 250);
	load(0x4ff0, 0x11, "second", 30);
	load(0x3ffd, 4, "edge", 40); /* takes the place of the first, and goes itself */
	load(0x3ffd, 1, "edge", 45);
	EXPECT_STR(named(0x1000), "second");
	EXPECT_STR(named(0x2000), "!");
	EXPECT_STR(named(0x3000), "first");
	EXPECT_STR(named(0x5000), "second");
	EXPECT_STR(named(0x4000), "?");
	end();
}

/* A function is gone as a whole when another one takes some of its memory. */
static void test_dump_of_removed_code(void)
{
	begin(LATE_DUMP);
	want(0x1000, 100, 200);
	want(0x2000, 100, 200);
	load(0x1000, 0x10, "gone_before", 10);
	load(0x2000, 0x10, "gone_after", 20);
	load(0x100f, 1, "tail", 50);
	load(0x200f, 1, "tail", 250);
	EXPECT_STR(named(0x1000), "?");
	EXPECT_STR(named(0x2000), "gone_after");
	end();
}

static void test_dump_of_moved_code(void)
{
	begin(LATE_DUMP);
	want(0x1008, 100, 200);
	want(0x2008, 100, 200);
	want(0x1008, 300, 400); /* later, again */
	load(0x1000, 0x10, "moved", 10);
	tell(
		&(struct jit_record){
			.operation = JIT_MOVE, .start = 0x1000, .to = 0x2000, .time_ns = 50},
		"");
	EXPECT_STR(named(0x1008), "?");
	EXPECT_STR(named(0x2008), "moved");
	end();
}

/* Some of the samples may be of each. */
static void test_dump_between_two_times(void)
{
	begin(LATE_DUMP);
	want(0x1000, 100, 200);
	want(0x1000, 300, 400);
	load(0x1000, 0x10, "between", 250);
	EXPECT_STR(named(0x1000), "!"); /* the first samples are of something else */
	want(0x2000, 100, 200);
	load(0x2000, 0x10, "before", 50);
	load(0x2000, 0x10, "between", 250);
	EXPECT_STR(named(0x2000), "before");
	load(0x2000, 0x10, "", 260); /* it goes, and no other name is told */
	want(0x2000, 300, 400);
	EXPECT_STR(named(0x2000), "!");
	end();
}

static void test_dump_of_the_past(void)
{
	begin(LATE_DUMP);
	load(0x1000, 0x10, "f", 10);
	load(0x1008, 0x10, "at_the_end", 20);
	load(0x2000, 0x10, "f", 10);
	load(0x2008, 0x10, "at_the_end", 150);
	want(0x1000, 100, 200); /* f was gone, or was there for a while */
	want(0x2000, 100, 200);
	load(0x1000, 4, "last", 160);
	load(0x2000, 4, "last", 160);
	EXPECT_STR(named(0x1000), "last");
	EXPECT_STR(named(0x2000), "!");
	end();
}

/* Without times a dump is like a map. */
static void test_dump_without_times(void)
{
	begin(LATE_DUMP);
	want(0x1000, 100, 200);
	want(0x2000, 100, 200);
	load(0x1000, 0x10, "f", 0);
	load(0x2000, 0x10, "f", 0);
	load(0x2000, 0x10, "g", 0);
	EXPECT_STR(named(0x1000), "f");
	EXPECT_STR(named(0x2000), "!");
	end();
}

/* ---- both ---- */

static void test_sources(void)
{
	struct jit_code map = {.bounds = &code_bounds, .late = &table, .source = LATE_MAP};
	const struct jit_record record = {.start = 0x1000, .size = 0x10, .name_bytes = 6};
	struct jit_told told = {0};

	begin(LATE_DUMP);
	want(0x1000, 0, 10);
	jit_told__add(&told, &record, "in_map");
	apply_told(&map, &told);
	EXPECT_STR(named(0x1000), "in_map");
	load(0x1000, 0x10, "in_dump", 5);
	EXPECT_STR(named(0x1000), "in_dump");
	map.late = NULL;
	jit_code__clear(&map);
	end();
}

/* Asked in no order, and again and again. */
static void test_many(void)
{
	char name[32];

	begin(LATE_MAP);
	bounds.work = 100000;
	for (int round = 0; round < 3; round++)
		for (uint64_t i = 0; i < 3000; i++)
			want(0x100000 + i * 7919 % 3000 * 0x10, round, round + 1);
	for (uint64_t i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "f%d", (int)i);
		load(0x100000 + i * 0x10, 0x10, name, 0);
	}
	EXPECT_STR(named(0x100000), "f0");
	EXPECT_STR(named(0x100000 + 1234 * 0x10), "f1234");
	EXPECT_STR(named(0x100000 + 2999 * 0x10), "f2999");
	EXPECT(bounds.bytes < ROOM);
	end();
}

/* ---- bounds ---- */

static void test_room(void)
{
	size_t nr_named = 0;

	begin(LATE_MAP);
	bounds.work = 1000000;
	for (uint64_t i = 0; i < 100000; i++)
		want(i * 0x10, 0, 10);
	EXPECT(bounds.bytes <= bounds.max_bytes);
	load(0, 100000 * 0x10, "all", 0);
	for (uint64_t i = 0; i < 100000; i++)
		nr_named += !strcmp(named(i * 0x10), "all");
	EXPECT(nr_named > 1000 && nr_named < 100000);
	end();
}

/* Memory that is used again and again has no past that grows. */
static void test_long_past(void)
{
	char name[32];
	size_t bytes = 0;

	begin(LATE_MAP);
	for (int i = 0; i < 10000; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		load(0x1000 + (uint64_t)(i % 64) * 8, 0x10, name, 0);
		if (i == 1000)
			bytes = bounds.bytes;
	}
	EXPECT_EQ(bounds.bytes, bytes);
	end();
}

/* A process that tells of everything again and again gets no names, and takes no time. */
static void test_work(void)
{
	begin(LATE_MAP);
	for (uint64_t i = 0; i < 100; i++)
		want(i, 0, 10);
	for (int i = 0; i < 5; i++) /* the code there goes, too */
		load(0, 100, "all", 0);
	EXPECT_STR(named(5), "all");
	load(0, 100, "all", 0);
	EXPECT_STR(named(5), "?");
	EXPECT_EQ(bounds.work, 0);
	end();
}

/* A function for which there is no room goes at an unknown time, so that names are in doubt. */
static void test_code_without_room(void)
{
	begin(LATE_MAP);
	code_bounds.max_code_bytes = 200;
	want(0x1000, 0, 10);
	load(0x1000, 0x10, "f", 0);
	EXPECT_STR(named(0x1000), "f");
	load(0x2000, 0x10, "one_too_many", 0);
	EXPECT_STR(named(0x1000), "?");
	end();
}

int main(void)
{
	static const struct test tests[] = {
		{"a map", test_map},
		{"a map of reused memory", test_map_of_reused_memory},
		{"a map written anew", test_map_written_anew},
		{"a map read before", test_map_of_the_past},
		{"a dump", test_dump},
		{"a dump of reused memory", test_dump_of_reused_memory},
		{"a dump of removed code", test_dump_of_removed_code},
		{"a dump of moved code", test_dump_of_moved_code},
		{"between two times", test_dump_between_two_times},
		{"a dump read before", test_dump_of_the_past},
		{"a dump without times", test_dump_without_times},
		{"both", test_sources},
		{"many addresses", test_many},
		{"room", test_room},
		{"a long past", test_long_past},
		{"work", test_work},
		{"code without room", test_code_without_room},
		{0},
	};

	return run_tests("late_table", tests);
}
