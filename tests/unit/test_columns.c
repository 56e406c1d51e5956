// SPDX-License-Identifier: GPL-2.0-only
/*
 * Columns are the widths that a page shows of several events: each stack once, with the values of
 * all.
 */
#include "flame/columns.h"

#include <string.h>

#include "events_model.h"
#include "expect.h"

/* The column's value of the stack that begins with this process. */
static uint64_t value_of(const struct tree *tree, const struct flame_column *column,
			 const char *process)
{
	for (size_t i = 0; i < tree__nr_stacks(tree); i++) {
		const struct tree_stack stack = tree__stack(tree, i);

		if (!strcmp(tree__name(tree, stack.names[0])->text, process))
			return column->values[i];
	}
	return UINT64_MAX;
}

static void test_values(void)
{
	static const struct {
		const char *title;
		uint64_t clock, faults, prog;
	} expected[] = {
		{"Samples", 1, 0, 10},
		{"CPU time", 10000000, 0, 100000000},
		{"page-faults", 0, 1, 3},
		{"page-faults (events)", 0, 10000000, 30000000},
	};
	struct recording recording = two_events(10, 3, false);
	const struct flame_event events[] = {{.profile = recording.profile},
					     {.profile = recording.more->profile}};
	const struct flame_options options = {.events = events, .nr_events = 2};
	struct tree *tree = columns__tree(&options);
	struct columns columns;

	EXPECT_EQ(tree__nr_stacks(tree), 3);
	columns__init(&columns, tree, &options);
	EXPECT_EQ(columns.nr, 4);
	EXPECT_EQ(columns.shown, 0);
	for (size_t i = 0; i < columns.nr; i++) {
		const struct flame_column *column = &columns.of[i];

		EXPECT_STR(metric__title(&column->metric), expected[i].title);
		EXPECT(column->event == &events[i / VALUES]);
		EXPECT_EQ(value_of(tree, column, "cpu-clock"), expected[i].clock);
		EXPECT_EQ(value_of(tree, column, "page-faults"), expected[i].faults);
		EXPECT_EQ(value_of(tree, column, "prog"), expected[i].prog);
	}
	columns__fini(&columns);
	tree__free(tree);
	recording__fini(&recording);
}

/* An event that did not happen is not offered, unless it is the one that is shown. */
static void test_nothing(void)
{
	struct recording recording = two_events(10, 3, false);
	const struct flame_event events[] = {{.profile = recording.profile},
					     {.profile = recording.more->profile}};
	const struct flame_options options = {.events = events, .nr_events = 2};
	struct columns columns;
	struct tree *tree;

	profile__clear(recording.profile);
	tree = columns__tree(&options);
	columns__init(&columns, tree, &options);
	EXPECT_EQ(columns.nr, 3);
	EXPECT_STR(columns.of[0].metric.name, "samples");
	EXPECT_STR(columns.of[1].metric.name, "page-faults");
	columns__fini(&columns);
	tree__free(tree);
	recording__fini(&recording);
}

int main(void)
{
	static const struct test tests[] = {
		{"values of all events", test_values},
		{"an event that did not happen", test_nothing},
		{0},
	};

	return run_tests("columns", tests);
}
