// SPDX-License-Identifier: GPL-2.0-only
/* Symbols that touch, overlap, nest and hide each other; against a search that is slow and plain.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "elf/symbol_builder.h"
#include "elf/symbol_table.h"
#include "expect.h"
#include "symbol_ranges.h"

static void add(struct symbol_builder *builder, uint64_t start, uint64_t size, enum binding binding,
		const char *name)
{
	const struct symbol symbol = {start, size, true, binding, name, strlen(name)};

	EXPECT_EQ(symbol_builder__add(builder, &symbol), 0);
}

/* Without a size: reaches so far at most. */
static void add_unsized(struct symbol_builder *builder, uint64_t start, uint64_t reach,
			enum binding binding, const char *name)
{
	const struct symbol symbol = {start, reach, false, binding, name, strlen(name)};

	EXPECT_EQ(symbol_builder__add(builder, &symbol), 0);
}

static const char *name_at(const struct symbol_table *table, uint64_t address)
{
	struct found_symbol found;

	return symbol_table__find(table, address, &found) ? found.name : NULL;
}

static uint64_t start_at(const struct symbol_table *table, uint64_t address)
{
	struct found_symbol found = {.start = UINT64_MAX};

	symbol_table__find(table, address, &found);
	return found.start;
}

static void test_empty(void)
{
	struct symbol_table *table = symbol_builder__finish(&(struct symbol_builder){0});

	EXPECT_STR(name_at(table, 0), NULL);
	EXPECT_STR(name_at(table, UINT64_MAX), NULL);
	symbol_table__free(table);
	symbol_table__free(NULL);
}

static void test_by_name(void)
{
	struct symbol_builder *builder = &(struct symbol_builder){0};
	struct symbol_table *table;

	add(builder, 0x2000, 0x10, BINDING_GLOBAL, "second");
	add(builder, 0x1000, 0x20, BINDING_GLOBAL, "first");
	table = symbol_builder__finish(builder);
	EXPECT(symbol_table__has(table, "first") && symbol_table__has(table, "second"));
	EXPECT(!symbol_table__has(table, "seco") && !symbol_table__has(table, "seconds"));
	EXPECT(!symbol_table__has(table, "cond"));
	symbol_table__free(table);
}

static void test_first_and_last_byte(void)
{
	struct symbol_builder *builder = &(struct symbol_builder){0};
	struct symbol_table *table;

	add(builder, 0x2000, 0x10, BINDING_GLOBAL, "second");
	add(builder, 0x1000, 0x20, BINDING_GLOBAL, "first");
	table = symbol_builder__finish(builder);
	EXPECT_STR(name_at(table, 0xfff), NULL);
	EXPECT_STR(name_at(table, 0x1000), "first");
	EXPECT_STR(name_at(table, 0x101f), "first");
	EXPECT_STR(name_at(table, 0x1020), NULL);
	EXPECT_STR(name_at(table, 0x1fff), NULL);
	EXPECT_STR(name_at(table, 0x2000), "second");
	EXPECT_STR(name_at(table, 0x200f), "second");
	EXPECT_STR(name_at(table, 0x2010), NULL);
	EXPECT_EQ(start_at(table, 0x200f), 0x2000);
	symbol_table__free(table);
}

static void test_aliases(void)
{
	struct symbol_builder *builder = &(struct symbol_builder){0};
	struct symbol_table *table;

	add(builder, 0x1000, 8, BINDING_WEAK, "weak");
	add(builder, 0x1000, 8, BINDING_GLOBAL, "__global");
	add(builder, 0x1000, 8, BINDING_LOCAL, "a");
	add(builder, 0x1010, 8, BINDING_GLOBAL, "__libc_write");
	add(builder, 0x1010, 8, BINDING_GLOBAL, "_write");
	add(builder, 0x1010, 8, BINDING_GLOBAL, "writev");
	add(builder, 0x1020, 8, BINDING_GLOBAL, "longer");
	add(builder, 0x1020, 8, BINDING_GLOBAL, "short");
	add(builder, 0x1030, 8, BINDING_GLOBAL, "bbb");
	add(builder, 0x1030, 8, BINDING_GLOBAL, "aaa");
	add(builder, 0x1040, 8, BINDING_LOCAL, "sized");
	add_unsized(builder, 0x1040, 100, BINDING_GLOBAL, "unsized");
	table = symbol_builder__finish(builder);
	EXPECT_STR(name_at(table, 0x1000), "__global");
	EXPECT_STR(name_at(table, 0x1017), "writev");
	EXPECT_STR(name_at(table, 0x1020), "short");
	EXPECT_STR(name_at(table, 0x1030), "aaa");
	EXPECT_STR(name_at(table, 0x1047), "sized");
	EXPECT_STR(name_at(table, 0x1048), NULL);
	EXPECT_EQ(count_ranges(table, 0, 0x2000), 5);
	symbol_table__free(table);
}

static void test_nested_and_overlapping(void)
{
	struct symbol_builder *builder = &(struct symbol_builder){0};
	struct symbol_table *table;

	add(builder, 0x1000, 0x100, BINDING_GLOBAL, "outer");
	add(builder, 0x1040, 0x40, BINDING_LOCAL, "middle");
	add(builder, 0x1050, 0x10, BINDING_LOCAL, "inner");
	add(builder, 0x2000, 0x20, BINDING_GLOBAL, "left");
	add(builder, 0x2010, 0x20, BINDING_GLOBAL, "right");
	add(builder, 0x3000, 0x20, BINDING_GLOBAL, "whole");
	add(builder, 0x3000, 0x10, BINDING_LOCAL, "half");
	table = symbol_builder__finish(builder);
	EXPECT_STR(name_at(table, 0x103f), "outer");
	EXPECT_STR(name_at(table, 0x1040), "middle");
	EXPECT_STR(name_at(table, 0x104f), "middle");
	EXPECT_STR(name_at(table, 0x1050), "inner");
	EXPECT_STR(name_at(table, 0x105f), "inner");
	EXPECT_STR(name_at(table, 0x1060), "middle");
	EXPECT_STR(name_at(table, 0x107f), "middle");
	EXPECT_STR(name_at(table, 0x1080), "outer");
	EXPECT_EQ(start_at(table, 0x10ff), 0x1000);
	EXPECT_STR(name_at(table, 0x1100), NULL);
	EXPECT_STR(name_at(table, 0x200f), "left");
	EXPECT_STR(name_at(table, 0x2010), "right");
	EXPECT_STR(name_at(table, 0x202f), "right");
	EXPECT_STR(name_at(table, 0x2030), NULL);
	EXPECT_STR(name_at(table, 0x300f), "half");
	EXPECT_STR(name_at(table, 0x3010), "whole");
	symbol_table__free(table);
}

static void test_unsized(void)
{
	struct symbol_builder *builder = &(struct symbol_builder){0};
	struct symbol_table *table;

	add_unsized(builder, 0x1000, 0x1000, BINDING_LOCAL, "until_next");
	add_unsized(builder, 0x1100, 0x1000, BINDING_LOCAL, "until_sized");
	add(builder, 0x1200, 0x10, BINDING_GLOBAL, "sized");
	add_unsized(builder, 0x1208, 0x1000, BINDING_GLOBAL, "label");
	add_unsized(builder, 0x1210, 0x40, BINDING_LOCAL, "until_reach");
	table = symbol_builder__finish(builder);
	EXPECT_STR(name_at(table, 0x10ff), "until_next");
	EXPECT_STR(name_at(table, 0x1100), "until_sized");
	EXPECT_STR(name_at(table, 0x11ff), "until_sized");
	EXPECT_STR(name_at(table, 0x1200), "sized");
	EXPECT_STR(name_at(table, 0x1208), "sized");
	EXPECT_STR(name_at(table, 0x120f), "sized");
	EXPECT_STR(name_at(table, 0x1210), "until_reach");
	EXPECT_STR(name_at(table, 0x124f), "until_reach");
	EXPECT_STR(name_at(table, 0x1250), NULL);
	symbol_table__free(table);
}

static void add_unnamed(struct symbol_builder *builder, uint64_t start, uint64_t size)
{
	add(builder, start, size, BINDING_LOCAL, "");
}

/* Functions without a name: alone, around those with names, and at the same start. */
static void test_unnamed(void)
{
	struct symbol_builder *builder = &(struct symbol_builder){0};
	struct symbol_table *table;

	add_unnamed(builder, 0x1000, 0x20);
	add_unnamed(builder, 0x1000, 0x10);
	add_unnamed(builder, 0x2000, 0x100);
	add(builder, 0x2010, 0x10, BINDING_LOCAL, "within");
	add(builder, 0x20f0, 0x20, BINDING_LOCAL, "across");
	add_unnamed(builder, 0x3000, 0x100);
	add(builder, 0x3000, 0x10, BINDING_LOCAL, "same_start");
	add(builder, 0x4000, 0x100, BINDING_LOCAL, "around");
	add_unnamed(builder, 0x4010, 0x10);
	add_unnamed(builder, 0x40f0, 0x20);
	table = symbol_builder__finish(builder);
	EXPECT_STR(name_at(table, 0x1000), "");
	EXPECT_STR(name_at(table, 0x101f), "");
	EXPECT_STR(name_at(table, 0x1020), NULL);
	EXPECT_STR(name_at(table, 0x200f), "");
	EXPECT_STR(name_at(table, 0x2010), "within");
	EXPECT_STR(name_at(table, 0x2020), "");
	EXPECT_EQ(start_at(table, 0x20ef), 0x2000);
	EXPECT_STR(name_at(table, 0x20f0), "across");
	EXPECT_STR(name_at(table, 0x210f), "across");
	EXPECT_STR(name_at(table, 0x300f), "same_start");
	EXPECT_STR(name_at(table, 0x3010), NULL);
	EXPECT_STR(name_at(table, 0x4010), "around");
	EXPECT_STR(name_at(table, 0x40ff), "around");
	EXPECT_STR(name_at(table, 0x4100), NULL);
	symbol_table__free(table);
}

/* They end the function before them that has a name but no size. */
static void test_unnamed_and_unsized(void)
{
	struct symbol_builder *builder = &(struct symbol_builder){0};
	struct symbol_table *table;

	add_unsized(builder, 0x1000, 0x1000, BINDING_LOCAL, "same_start");
	add_unnamed(builder, 0x1000, 0x20);
	add_unsized(builder, 0x1100, 0x1000, BINDING_LOCAL, "before");
	add_unnamed(builder, 0x1200, 0x40);
	add_unsized(builder, 0x1210, 0x10, BINDING_LOCAL, "short");
	add_unsized(builder, 0x1230, 0x1000, BINDING_LOCAL, "within");
	table = symbol_builder__finish(builder);
	EXPECT_STR(name_at(table, 0x101f), "same_start");
	EXPECT_STR(name_at(table, 0x1020), NULL);
	EXPECT_STR(name_at(table, 0x11ff), "before");
	EXPECT_STR(name_at(table, 0x1200), "");
	EXPECT_STR(name_at(table, 0x1210), "short");
	EXPECT_STR(name_at(table, 0x1220), "");
	EXPECT_EQ(start_at(table, 0x1220), 0x1200);
	EXPECT_STR(name_at(table, 0x1230), "within");
	EXPECT_STR(name_at(table, 0x123f), "within");
	EXPECT_STR(name_at(table, 0x1240), NULL);
	symbol_table__free(table);
}

static void test_extremes(void)
{
	struct symbol_builder *builder = &(struct symbol_builder){0};
	struct symbol_table *table;

	add(builder, UINT64_MAX - 15, 100, BINDING_GLOBAL, "wraps");
	add(builder, UINT64_MAX - 0x1000, 0, BINDING_GLOBAL, "nothing");
	table = symbol_builder__finish(builder);
	EXPECT_STR(name_at(table, UINT64_MAX - 16), NULL);
	EXPECT_STR(name_at(table, UINT64_MAX - 1), "wraps");
	EXPECT_STR(name_at(table, 0), NULL);
	symbol_table__free(table);

	builder = &(struct symbol_builder){0};
	add(builder, 0x1800 + (1ULL << 32), 8, BINDING_GLOBAL, "too_far");
	add(builder, 0x2000, 8, BINDING_GLOBAL, "second");
	add(builder, 0x1000, 8, BINDING_GLOBAL, "first");
	table = symbol_builder__finish(builder);
	EXPECT_STR(name_at(table, 0x1000), "first");
	EXPECT_STR(name_at(table, 0x1800), NULL);
	EXPECT_STR(name_at(table, 0x2000), "second");
	EXPECT_STR(name_at(table, 0x1800 + (1ULL << 32)), NULL);
	symbol_table__free(table);

	builder = &(struct symbol_builder){0};
	add(builder, 0x1000, UINT64_MAX, BINDING_GLOBAL, "huge");
	add(builder, 0x1000 + (1ULL << 33), 8, BINDING_GLOBAL, "too_far");
	table = symbol_builder__finish(builder);
	EXPECT_STR(name_at(table, 0x1000 + (1ULL << 31)), "huge");
	EXPECT_STR(name_at(table, 0x1000 + (1ULL << 33)), NULL);
	EXPECT_STR(name_at(table, 0x1000 + (1ULL << 32)), NULL);
	symbol_table__free(table);
}

/* ---- against a plain search ---- */

#define NR_RANDOM  300
#define NR_UNNAMED 100
#define SPACE	   1024

struct random_symbol {
	uint64_t start, size;
	bool sized;
	char name[16];
};

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/*
 * Finds the sized symbol around the address that starts last, and of those the smallest; names are
 * unique.
 */
static const struct random_symbol *search(const struct random_symbol *symbols, uint64_t address)
{
	const struct random_symbol *best = NULL;
	size_t i;

	for (i = 0; i < NR_RANDOM; i++) {
		const struct random_symbol *symbol = &symbols[i];

		if (!symbol->sized || address < symbol->start ||
		    address >= symbol->start + symbol->size)
			continue;
		if (!best || symbol->start > best->start ||
		    (symbol->start == best->start && symbol->size < best->size))
			best = symbol;
	}
	return best;
}

/*
 * Tells whether unnamed begins at start, where no symbol begins, and which no sized symbol
 * contains.
 */
static bool is_start(const struct random_symbol *symbols, const struct random_symbol *unnamed,
		     uint64_t start)
{
	for (size_t i = 0; i < NR_RANDOM; i++)
		if (symbols[i].start == start)
			return false;
	return unnamed->start == start && !search(symbols, start);
}

/* Finds the innermost function without a name. */
static const struct random_symbol *search_unnamed(const struct random_symbol *symbols,
						  const struct random_symbol *unnamed,
						  uint64_t address)
{
	const struct random_symbol *best = NULL;

	for (size_t i = 0; i < NR_UNNAMED; i++) {
		const struct random_symbol *symbol = &unnamed[i];

		if (is_start(symbols, symbol, symbol->start) && address >= symbol->start &&
		    address < symbol->start + symbol->size &&
		    (!best || symbol->start > best->start))
			best = symbol;
	}
	return best;
}

/*
 * Tells whether the address is beyond a guessed size, which ends with the functions without a name
 * that begin at its start, or contain that.
 */
static bool is_beyond(const struct random_symbol *symbols, const struct random_symbol *unnamed,
		      uint64_t start, uint64_t address)
{
	const struct random_symbol *around = search_unnamed(symbols, unnamed, start);
	uint64_t end = around ? around->start + around->size : UINT64_MAX, most = 0;

	for (size_t i = 0; i < NR_UNNAMED; i++)
		if (unnamed[i].start == start && unnamed[i].size > most)
			most = unnamed[i].size;
	return address >= end || (most && address >= start + most);
}

/*
 * Finds the symbol that begins last before the address, if it has no size, no sized one contains
 * its start, no function without a name begins in between, and its guessed size reaches the
 * address.
 */
static const struct random_symbol *search_unsized(const struct random_symbol *symbols,
						  const struct random_symbol *unnamed,
						  uint64_t address)
{
	const struct random_symbol *best = NULL;
	size_t i;

	for (i = 0; i < NR_RANDOM; i++)
		if (symbols[i].start <= address && (!best || symbols[i].start > best->start))
			best = &symbols[i];
	if (!best || best->sized || search(symbols, best->start) ||
	    address >= best->start + best->size ||
	    is_beyond(symbols, unnamed, best->start, address))
		return NULL;
	for (i = 0; i < NR_UNNAMED; i++)
		if (unnamed[i].start > best->start && unnamed[i].start <= address &&
		    is_start(symbols, &unnamed[i], unnamed[i].start))
			return NULL;
	return best;
}

static const struct random_symbol *search_all(const struct random_symbol *symbols,
					      const struct random_symbol *unnamed, uint64_t address)
{
	const struct random_symbol *found = search(symbols, address);

	if (!found)
		found = search_unsized(symbols, unnamed, address);
	return found ? found : search_unnamed(symbols, unnamed, address);
}

/* Each at a place of its own, mostly. */
static void make_unnamed(struct random_symbol *unnamed, uint32_t *seed,
			 struct symbol_builder *builder)
{
	memset(unnamed, 0, NR_UNNAMED * sizeof(*unnamed));
	for (size_t i = 0; i < NR_UNNAMED; i++) {
		unnamed[i].start = 0x400000 + next_random(seed) % SPACE;
		unnamed[i].size = 1 + unnamed[i].start % 61; /* one for each start */
		add_unnamed(builder, unnamed[i].start, unnamed[i].size);
	}
}

static void check_random(uint32_t seed)
{
	struct random_symbol symbols[NR_RANDOM], unnamed[NR_UNNAMED];
	struct symbol_builder *builder = &(struct symbol_builder){0};
	struct symbol_table *table;
	uint64_t address;
	bool same = true;
	size_t i;

	for (i = 0; i < NR_RANDOM; i++) {
		struct random_symbol *symbol = &symbols[i];

		symbol->start = 0x400000 + next_random(&seed) % SPACE;
		symbol->size = 1 + next_random(&seed) % (i % 3 ? 8 : 64);
		symbol->sized = next_random(&seed) % 4;
		memset(symbol->name, 0, sizeof(symbol->name));
		/* By place and size, so that it does not matter which alias is shown. */
		snprintf(symbol->name, sizeof(symbol->name), "%c%x_%x", symbol->sized ? 's' : 'u',
			 (unsigned int)(symbol->start & 0xffff),
			 symbol->sized ? (unsigned int)symbol->size : 0);
		if (!symbol->sized)
			symbol->size = 16;
		(symbol->sized ? add : add_unsized)(builder, symbol->start, symbol->size,
						    BINDING_LOCAL, symbol->name);
	}
	make_unnamed(unnamed, &seed, builder);
	table = symbol_builder__finish(builder);
	for (address = 0x400000 - 2; address < 0x400000 + SPACE + 70 && same; address++) {
		const struct random_symbol *expected = search_all(symbols, unnamed, address);

		EXPECT_STR(name_at(table, address), expected ? expected->name : NULL);
		same = !expected == !name_at(table, address);
		if (expected && same)
			EXPECT_EQ(start_at(table, address), expected->start);
	}
	EXPECT(count_ranges(table, 0x400000, 0x400000 + SPACE + 70) <=
	       2 * (NR_RANDOM + NR_UNNAMED));
	symbol_table__free(table);
}

static void test_random(void)
{
	uint32_t seed;

	for (seed = 1; seed <= 100; seed++)
		check_random(seed);
}

static void test_size(void)
{
	struct symbol_builder *builder = &(struct symbol_builder){0};
	struct symbol_table *table;
	size_t i;

	for (i = 0; i < 10000; i++)
		add(builder, 0x400000 + 16 * (i * 7919 % 10000), 16, BINDING_LOCAL, "abc");
	table = symbol_builder__finish(builder);
	EXPECT_EQ(count_ranges(table, 0x400000, 0x400000 + 16 * 10000), 10000);
	EXPECT(symbol_table__memory_bytes(table) <= 10000 * (24 + 4) + 256);
	EXPECT_EQ(start_at(table, 0x400000 + 16 * 5000 + 15), 0x400000 + 16 * 5000);
	symbol_table__free(table);
}

/* A file that gives 8 million symbols one name of a megabyte is not followed for long. */
static void test_long_names(void)
{
	static char name[SYMBOL_MAX_NAME_BYTES + 1];
	struct symbol symbol = {0x1000, 16, true, BINDING_GLOBAL, name, sizeof(name) - 1};
	struct symbol_builder *builder = &(struct symbol_builder){0};
	struct symbol_table *table;
	size_t nr = 0;
	int code = 0;

	memset(name, 'x', sizeof(name) - 1);
	EXPECT_EQ(symbol_builder__add(builder, &symbol), 0);
	table = symbol_builder__finish(builder);
	EXPECT_STR(name_at(table, 0x1000), NULL);
	symbol_table__free(table);
	builder = &(struct symbol_builder){0};
	while (!code && nr < 1000) {
		code = symbol_builder__add(builder, &symbol);
		nr++;
	}
	EXPECT_EQ(code, -E2BIG);
	symbol_builder__fini(builder);
}

int main(void)
{
	static const struct test tests[] = {
		{"no symbols", test_empty},
		{"first and last byte, gaps", test_first_and_last_byte},
		{"a symbol by its name", test_by_name},
		{"aliases", test_aliases},
		{"nested and overlapping", test_nested_and_overlapping},
		{"without a size", test_unsized},
		{"functions without a name", test_unnamed},
		{"functions without a name, names without a size", test_unnamed_and_unsized},
		{"ends of the address space", test_extremes},
		{"random tables agree with a plain search", test_random},
		{"24 bytes a symbol", test_size},
		{"names too long", test_long_names},
		{0},
	};

	return run_tests("table", tests);
}
