// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unwind tables from Go's own table are compared with those from the .debug_frame of Go's linker:
 * of the same program, with either of them taken away.
 */
#include <fcntl.h>
#include <unistd.h>

#include "expect.h"
#include "scratch.h"
#include "unwind/unwind.h"
#include "unwind_row.h"

static const char go_source[] =
	"package main\n"
	"import (\"fmt\"; \"net/http\"; \"os\"; \"sort\")\n"
	"func large(n int) int {\n"
	"	var words [40000]int\n"
	"	for i := range words { words[i] = i * n }\n"
	"	sort.Ints(words[:])\n"
	"	return words[n]\n"
	"}\n"
	"func main() {\n"
	"	defer func() { fmt.Println(recover()) }()\n"
	"	fmt.Println(large(len(os.Args)), http.ListenAndServe(\"no\", nil))\n"
	"}\n";

static struct unwind_table *build_table(const char *name)
{
	const int fd = open(scratch_path(name), O_RDONLY);
	struct unwind_table *table = NULL;

	EXPECT_EQ(unwind_table__build(fd, &table), 0);
	close(fd);
	return table;
}

/* asyncPreempt: its return address may be no call's. */
static bool is_injected(const struct unwind_row *row)
{
	return UNWIND_CFA(row->rules) == UNWIND_SP_UNSURE;
}

/* Where .debug_frame says nothing: stacks begin there, or signals return to it. */
static bool is_known_better(const struct unwind_row *row)
{
	return UNWIND_CFA(row->rules) == UNWIND_END || UNWIND_CFA(row->rules) == UNWIND_SIGNAL;
}

/* The frame pointer is left out: only one of the two tables has it. */
static bool agree(const struct unwind_row *row, const struct unwind_row *truth)
{
	return is_known_better(row) || ((is_injected(row) ? UNWIND_SP : UNWIND_CFA(row->rules)) ==
						UNWIND_CFA(truth->rules) &&
					UNWIND_RA(row->rules) == UNWIND_RA(truth->rules) &&
					row->cfa_offset == truth->cfa_offset);
}

/* Wherever a row of either begins. Returns the number of such places, and of those known better. */
static size_t compare(const struct unwind_table *table, const struct unwind_table *truth,
		      size_t *nr_better)
{
	const struct unwind_table *tables[] = {table, truth};
	size_t nr = 0, nr_wrong = 0;

	*nr_better = 0;
	for (size_t i = 0; i < 2; i++) {
		uint32_t nr_rows;
		const struct unwind_row *rows = unwind_table__rows(tables[i], &nr_rows);

		for (uint32_t k = 0; k < nr_rows; k++) {
			const struct unwind_row *row = find_row(table, rows[k].pc);

			nr_wrong += !agree(row, find_row(truth, rows[k].pc));
			*nr_better += is_known_better(row);
		}
		nr += nr_rows;
	}
	EXPECT_EQ(nr_wrong, 0);
	return nr;
}

static size_t count_injected(const struct unwind_table *table)
{
	uint32_t nr_rows;
	const struct unwind_row *rows = unwind_table__rows(table, &nr_rows);
	size_t nr = 0;

	for (uint32_t i = 0; i < nr_rows; i++)
		nr += is_injected(&rows[i]);
	return nr;
}

static void check(const char *mode)
{
	struct unwind_table *table, *truth;
	size_t nr_better;

	scratch_run("HOME=${HOME:-$PWD} GOFLAGS=-mod=mod CGO_ENABLED=0 go build -buildmode=%s -o "
		    "whole .",
		    mode);
	scratch_run("strip -o stripped whole");
	scratch_run("objcopy --rename-section .gopclntab=.other "
		    "--rename-section .data.rel.ro.gopclntab=.other whole truth");
	table = build_table("stripped");
	truth = build_table("truth");
	if (table && truth) {
		EXPECT(compare(table, truth, &nr_better) > 20000);
		EXPECT(nr_better >= 4);
		EXPECT(nr_better < 40);
		EXPECT(count_injected(table) > 1); /* it pushes registers */
		EXPECT(count_injected(table) < 10);
	}
	unwind_table__free(table);
	unwind_table__free(truth);
}

static void test_agreement(void)
{
	scratch_write("main.go", go_source);
	scratch_write("go.mod", "module example\ngo 1.18\n");
	check("exe");
	check("pie");
}

int main(void)
{
	static const struct test tests[] = {
		{"agrees with .debug_frame", test_agreement},
		{0},
	};

	scratch_create();
	return run_tests("go_frames", tests);
}
