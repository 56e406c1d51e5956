// SPDX-License-Identifier: GPL-2.0-only
/* The live view's order where it is another time or view, and rows that are no more than noise. */
#include "live/live.h"
#include "live_model.h"

static char text[8192];

/* Returns rows as "name count", first to last; folded rows are "+3 rows 3". */
static const char *rows(const struct live *live)
{
	FILE *out = fmemopen(text, sizeof(text), "w");

	for (size_t i = 0; i < live->nr_rows; i++) {
		const struct live_row *row = &live->rows[i];

		fprintf(out, "%s", i ? " | " : "");
		if (row->nr_folded)
			fprintf(out, "%s%zu rows", row->is_folded ? "+" : "-", row->nr_folded);
		else
			fprintf(out, "%s", row->name);
		fprintf(out, " %lu", row->self);
	}
	fputc('\0', out);
	fclose(out);
	return text;
}

static struct live begin(void)
{
	struct live live;

	live__init(&live, 1 << 20);
	EXPECT_EQ(live__resize(&live, 10, 80), 0);
	live__set_view(&live, VIEW_FUNCTIONS);
	return live;
}

static void test_folded(void)
{
	struct live live = begin();

	GIVE(&live, 50, 1, 2, 1);
	EXPECT_STR(rows(&live), "a 50 | c 2 | main 0 | +2 rows 2");
	live__move_to(&live, 3);
	EXPECT_EQ(live__place(&live).id, ROW_ID_NONE);
	live__fold(&live, false);
	EXPECT_STR(rows(&live), "a 50 | c 2 | main 0 | -2 rows 2 | b 1 | d 1");
	EXPECT_EQ(live.cursor, 3);
	GIVE(&live, 50, 1, 2, 0, 1, 1); /* it stays open */
	EXPECT_STR(rows(&live), "a 50 | c 2 | main 0 | -3 rows 3 | b 1 | e 1 | f 1");
	live__fold(&live, true);
	EXPECT_STR(rows(&live), "a 50 | c 2 | main 0 | +3 rows 3");
	live__move_to(&live, 0); /* a row of its own has nothing to open */
	live__fold(&live, false);
	EXPECT_STR(rows(&live), "a 50 | c 2 | main 0 | +3 rows 3");
	live__fini(&live);
}

/* A single one is a row as well; and where all is noise, nothing else would be left. */
static void test_not_folded(void)
{
	struct live live = begin();

	GIVE(&live, 50, 1, 2);
	EXPECT_STR(rows(&live), "a 50 | c 2 | b 1 | main 0");
	live__reset(&live);
	live__set_view(&live, VIEW_PROCESSES);
	GIVE(&live, 1);
	EXPECT_STR(rows(&live), "redis (1) 1");
	live__fini(&live);
}

/* A row that was hot stays in an interval that has one sample of it. */
static void test_was_hot(void)
{
	struct live live = begin();

	GIVE(&live, 50, 4, 1, 0);
	GIVE(&live, 50, 1, 1, 1);
	EXPECT_STR(rows(&live), "a 50 | b 1 | main 0 | +2 rows 2");
	live__fini(&live);
}

/* A comparison shows the rows that only the baseline has, and those that have become less. */
static void test_compared(void)
{
	struct live live = begin();

	GIVE(&live, 50, 2, 3);
	live__compare(&live, true);
	GIVE(&live, 50, 1, 1);
	EXPECT_EQ(live.nr_rows, 4);
	live__fini(&live);
}

/* In units of 1024 a sample is a sample. */
static void test_decayed(void)
{
	struct live live = begin();

	live__set_mode(&live, MODE_DECAYED);
	GIVE(&live, 50, 1, 2, 1);
	EXPECT_EQ(live.rows[3].nr_folded, 2);
	live__fini(&live);
}

/* a and b are within noise, whichever has more. */
static void test_other_views(void)
{
	struct live live = begin();

	GIVE(&live, 60, 50);
	GIVE(&live, 50, 70);
	EXPECT_STR(rows(&live), "a 50 | b 70 | main 0");
	live__set_view(&live, VIEW_STACKS);
	live__set_view(&live, VIEW_FUNCTIONS);
	EXPECT_STR(rows(&live), "a 50 | b 70 | main 0");
	live__set_mode(&live, MODE_SUM);
	EXPECT_STR(rows(&live), "a 110 | b 120 | main 0");
	live__set_mode(&live, MODE_INTERVAL);
	EXPECT_STR(rows(&live), "a 50 | b 70 | main 0");
	live__sort(&live);
	EXPECT_STR(rows(&live), "b 70 | a 50 | main 0");
	live__fini(&live);
}

/*
 * A view that is shown for the first time has the past of all intervals, not that of the last one.
 */
static void test_first_seen(void)
{
	struct live live = begin();

	live__set_view(&live, VIEW_STACKS);
	for (int i = 0; i < 5; i++)
		GIVE(&live, 20, 30);
	GIVE(&live, 30, 20);
	live__set_view(&live, VIEW_FUNCTIONS);
	EXPECT_STR(rows(&live), "b 20 | a 30 | main 0");
	live__fini(&live);
}

/* A picture that stands still does so whatever comes. */
static void test_frozen(void)
{
	struct live live = begin();

	GIVE(&live, 30, 20);
	live__freeze(&live, true);
	for (int i = 0; i < 5; i++)
		GIVE(&live, 0, 90);
	EXPECT_STR(rows(&live), "a 30 | b 20 | main 0");
	live__freeze(&live, false);
	GIVE(&live, 1, 90);
	EXPECT_STR(rows(&live), "b 90 | a 1 | main 0");
	live__fini(&live);
}

int main(void)
{
	static const struct test tests[] = {
		{"rows of one sample are folded", test_folded},
		{"nothing to fold", test_not_folded},
		{"what was hot", test_was_hot},
		{"while pictures are compared", test_compared},
		{"in the decaying sum", test_decayed},
		{"the order in other views and modes", test_other_views},
		{"the order of a view that is new", test_first_seen},
		{"the order of a frozen picture", test_frozen},
		{0},
	};

	return run_tests("noise", tests);
}
