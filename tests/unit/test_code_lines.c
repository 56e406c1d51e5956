// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of lines that CPython made are compared with CPython's own answers; and some tables lie.
 */
#include "interpreters/code_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code_lines_truth.h"
#include "expect.h"

#define MAX_INSTRUCTIONS 8192
#define NR_TRUTHS	 (sizeof(code_lines_truths) / sizeof(code_lines_truths[0]))

/* ---- answers of CPython ---- */

static uint32_t lines[MAX_INSTRUCTIONS];
static size_t nr_lines;

/* The bytes are in memory of their own, so that a sanitizer sees reads beyond it; free() them. */
static uint8_t *bytes_of(const char *hex, size_t *nr_bytes)
{
	uint8_t *bytes = malloc(strlen(hex) / 2 + 1), *exact;
	unsigned int byte;

	for (*nr_bytes = 0; sscanf(hex + 2 * *nr_bytes, "%2x", &byte) == 1; ++*nr_bytes)
		bytes[*nr_bytes] = (uint8_t)byte;
	exact = malloc(*nr_bytes ? *nr_bytes : 1);
	memcpy(exact, bytes, *nr_bytes);
	free(bytes);
	return exact;
}

static void read_lines(const char *runs)
{
	unsigned int nr;
	uint32_t line;
	int length;

	for (nr_lines = 0; sscanf(runs, "%" SCNu32 "*%u %n", &line, &nr, &length) == 2;
	     runs += length)
		while (nr-- && nr_lines < MAX_INSTRUCTIONS)
			lines[nr_lines++] = line;
	EXPECT_STR(runs, "");
	EXPECT(nr_lines > 0 && nr_lines < MAX_INSTRUCTIONS);
}

/* Returns how many instructions have a wrong line. With is_cut "not known" is not wrong. */
static size_t count_wrong(const struct code_lines_table *table)
{
	size_t nr_wrong = 0;

	for (size_t i = 0; i < nr_lines; i++) {
		uint32_t line = code_lines__find(table, (uint32_t)i);

		nr_wrong += line != lines[i] && !(table->is_cut && line == 0);
	}
	return nr_wrong;
}

static void check(const char *what, const struct code_lines_truth *truth,
		  const struct code_lines_table *table)
{
	size_t nr_wrong = count_wrong(table);

	if (nr_wrong)
		fprintf(stderr, "%s: %s of %s, %zu bytes\n", what, truth->code, truth->python,
			table->nr_bytes);
	EXPECT_EQ(nr_wrong, 0);
}

static struct code_lines_table begin(const struct code_lines_truth *truth)
{
	struct code_lines_table table = {.kind = truth->kind, .first_line = truth->first_line};

	read_lines(truth->runs);
	table.bytes = bytes_of(truth->bytes, &table.nr_bytes);
	return table;
}

static void end(const struct code_lines_table *table)
{
	free((void *)table->bytes);
}

static void test_whole(void)
{
	size_t nr_of_kind[CODE_LINES_KINDS] = {0};

	for (size_t i = 0; i < NR_TRUTHS; i++) {
		struct code_lines_table table = begin(&code_lines_truths[i]);
		bool has_end = table.kind != CODE_LINES_PAIRS;

		nr_of_kind[table.kind]++;
		check("whole", &code_lines_truths[i], &table);
		EXPECT_EQ(code_lines__find(&table, (uint32_t)nr_lines),
			  has_end ? 0 : lines[nr_lines - 1]);
		end(&table);
	}
	for (size_t kind = CODE_LINES_PAIRS; kind < CODE_LINES_KINDS; kind++)
		EXPECT(nr_of_kind[kind] >= 10);
}

/* The first *known instructions were known with fewer bytes, and so they must be now. */
static void check_cut(const struct code_lines_truth *truth, const struct code_lines_table *whole,
		      size_t nr_bytes, uint32_t *known)
{
	uint8_t *bytes = malloc(nr_bytes ? nr_bytes : 1);
	struct code_lines_table cut = *whole;

	memcpy(bytes, whole->bytes, nr_bytes);
	cut.bytes = bytes;
	cut.nr_bytes = nr_bytes;
	cut.is_cut = true;
	check("cut", truth, &cut);
	for (uint32_t i = 0; i < *known; i++)
		if (code_lines__find(&cut, i) != lines[i])
			EXPECT(!"more bytes, and less is known");
	while (*known < nr_lines && code_lines__find(&cut, *known) == lines[*known])
		++*known;
	free(bytes);
}

/* A line that is cut off is not known, and never another one; a line before the cut is known. */
static void check_cuts(const struct code_lines_truth *truth, const struct code_lines_table *whole)
{
	uint32_t known = 0;

	for (size_t nr_bytes = 0; nr_bytes < whole->nr_bytes; nr_bytes += 1 + whole->nr_bytes / 64)
		check_cut(truth, whole, nr_bytes, &known);
	check_cut(truth, whole, whole->nr_bytes, &known);
	if (whole->kind != CODE_LINES_PAIRS) /* of which one more could change the last line */
		EXPECT_EQ(known, nr_lines);
}

static void test_cut(void)
{
	for (size_t i = 0; i < NR_TRUTHS; i++) {
		struct code_lines_table table = begin(&code_lines_truths[i]);

		check_cuts(&code_lines_truths[i], &table);
		end(&table);
	}
}

/* ---- made by hand ---- */

#define TABLE(lines_kind, ...)                                                                   \
	(struct code_lines_table)                                                                \
	{                                                                                        \
		.kind = (lines_kind), .first_line = 10, .bytes = (const uint8_t[]){__VA_ARGS__}, \
		.nr_bytes = sizeof((uint8_t[]){__VA_ARGS__})                                     \
	}

static void expect_lines(struct code_lines_table table, const char *expected)
{
	char text[256] = "";

	for (uint32_t i = 0; i < 6; i++)
		sprintf(text + strlen(text), "%" PRIu32 " ", code_lines__find(&table, i));
	EXPECT_STR(text, expected);
}

static void test_pairs(void)
{
	struct code_lines_table table = TABLE(CODE_LINES_PAIRS, 4, 1, 2, 0xff, 0, 127, 0, 1, 2, 5);

	expect_lines(table, "10 10 11 138 143 143 ");
	EXPECT_EQ(code_lines__find(&table, UINT32_MAX), 143);
	table.is_cut = true;
	expect_lines(table, "10 10 11 138 0 0 ");
	table.nr_bytes--; /* half a pair is none */
	expect_lines(table, "10 10 11 0 0 0 ");
	table.nr_bytes = 0;
	expect_lines(table, "0 0 0 0 0 0 ");
	table.is_cut = false;
	expect_lines(table, "10 10 10 10 10 10 ");
	EXPECT_EQ(code_lines__find(&table, UINT32_MAX), 10);
}

static void test_ranges(void)
{
	struct code_lines_table table =
		TABLE(CODE_LINES_RANGES, 2, 0, 2, 0x80, 2, 0, 0, 0x81, 0, 127, 2, 2, 2, 0xff);

	expect_lines(table, "10 0 10 12 11 0 ");
	table.nr_bytes--;
	expect_lines(table, "10 0 10 12 0 0 ");
	table.nr_bytes = 0;
	expect_lines(table, "0 0 0 0 0 0 ");
}

static void test_locations(void)
{
	/* short; none, 2 instructions; one line further, columns; no columns, -3; long, +64 */
	struct code_lines_table table = TABLE(CODE_LINES_LOCATIONS, 0x80, 0x11, 0xf9, 0xd8, 1, 2,
					      0xe8, 7, 0xf0, 0x40, 2, 1, 2, 3);

	expect_lines(table, "10 0 0 11 8 72 ");
	table.nr_bytes = 11; /* without columns */
	expect_lines(table, "10 0 0 11 8 72 ");
	table.nr_bytes = 10; /* in the middle of a number */
	expect_lines(table, "10 0 0 11 8 0 ");
}

/* A number that the next entry interrupts; one that does not end; an entry that does not begin. */
static void test_damaged(void)
{
	expect_lines(TABLE(CODE_LINES_LOCATIONS, 0x80, 0, 0xf0, 0x41, 0x80, 0, 0x80, 0),
		     "10 0 0 0 0 0 ");
	expect_lines(TABLE(CODE_LINES_LOCATIONS, 0x80, 0, 0xf0, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40,
			   0x40, 1),
		     "10 0 0 0 0 0 ");
	expect_lines(TABLE(CODE_LINES_LOCATIONS, 0x07, 0x80, 0), "0 0 0 0 0 0 ");
	expect_lines(TABLE((enum code_lines)CODE_LINES_KINDS, 2, 2, 2, 2), "0 0 0 0 0 0 ");
}

/* Below 1 and above the largest int there are no lines; behind them there may be. */
static void test_no_lines(void)
{
	struct code_lines_table table = TABLE(CODE_LINES_RANGES, 2, 0xf6, 2, 0xff, 2, 2);

	expect_lines(table, "0 0 1 0 0 0 ");
	table.first_line = INT32_MAX;
	expect_lines(table, "2147483637 2147483636 2147483638 0 0 0 ");
	table.first_line = UINT32_MAX;
	expect_lines(table, "0 0 0 0 0 0 ");
	table = TABLE(CODE_LINES_PAIRS, 2, 1);
	table.first_line = INT32_MAX;
	expect_lines(table, "2147483647 0 0 0 0 0 ");
}

static void test_none(void)
{
	struct code_lines_table table = {.kind = CODE_LINES_NONE, .bytes = (const uint8_t *)""};

	EXPECT_EQ(code_lines__find(&table, 1234), 1234);
	EXPECT_EQ(code_lines__find(&table, UINT32_MAX), 0);
}

int main(void)
{
	static const struct test tests[] = {
		{"each instruction has the line that CPython says", test_whole},
		{"a cut table knows its part, and nothing wrong", test_cut},
		{"pairs", test_pairs},
		{"ranges", test_ranges},
		{"locations", test_locations},
		{"damaged tables end where the damage is", test_damaged},
		{"numbers that are no lines", test_no_lines},
		{"without a table the position is the line", test_none},
		{0},
	};

	return run_tests("code_lines", tests);
}
