// SPDX-License-Identifier: GPL-2.0-only
/* Phrases of a line: some are dropped where there is no room, and both kinds of pen agree. */
#include "views/phrases.h"

#include <string.h>

#include "expect.h"
#include "views/pen.h"

static char text[256];

static struct phrases three(void)
{
	struct phrases phrases = {0};

	phrases__add(&phrases, "", STYLE_BOLD, IMPORTANCE_ALARM, "%d lost", 12);
	phrases__add(&phrases, ", ", STYLE_PLAIN, IMPORTANCE_DETAIL, "on %d CPUs", 2);
	phrases__add(&phrases, "; ", STYLE_PLAIN, IMPORTANCE_USUAL, "cost 1 %%");
	return phrases;
}

/* Returns the text that is written in so many columns. */
static const char *in_columns(size_t nr_columns)
{
	struct phrases phrases = three();
	struct canvas canvas = {0};
	struct pen pen;

	EXPECT_EQ(canvas__resize(&canvas, 1, nr_columns), 0);
	pen = pen__on_canvas(&canvas, 0, 0, nr_columns);
	phrases__write(&phrases, &pen);
	text[0] = '\0';
	for (size_t i = 0; i < pen.column; i++)
		strcat(text, canvas__cell(&canvas, 0, i)->text);
	canvas__fini(&canvas);
	return text;
}

static void test_least_goes_first(void)
{
	EXPECT_STR(in_columns(80), "12 lost, on 2 CPUs; cost 1 %");
	EXPECT_STR(in_columns(28), "12 lost, on 2 CPUs; cost 1 %");
	EXPECT_STR(in_columns(27), "12 lost; cost 1 %");
	EXPECT_STR(in_columns(17), "12 lost; cost 1 %");
	EXPECT_STR(in_columns(16), "12 lost");
	EXPECT_STR(in_columns(6), "12 lo…"); /* one is always left */
}

static void test_stream(void)
{
	struct phrases phrases = three();
	FILE *out = fmemopen(text, sizeof(text), "w");
	struct pen pen = pen__on_stream(out, true, 0);

	phrases__write(&phrases, &pen);
	EXPECT_EQ(pen.column, 28);
	fputc('\0', out);
	fclose(out);
	EXPECT_STR(text, "\033[1m12 lost\033[0m, on 2 CPUs; cost 1 %");
}

static void test_no_more_than_fit(void)
{
	struct phrases phrases = {0};

	for (int i = 0; i < 2 * MOST_PHRASES; i++)
		phrases__add(&phrases, "", STYLE_PLAIN, IMPORTANCE_USUAL, "%d", i);
	EXPECT_EQ(phrases.nr, MOST_PHRASES);
}

int main(void)
{
	static const struct test tests[] = {
		{"the least important goes first", test_least_goes_first},
		{"a stream has room for all", test_stream},
		{"no more than fit", test_no_more_than_fit},
		{0},
	};

	return run_tests("phrases", tests);
}
