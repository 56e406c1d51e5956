// SPDX-License-Identifier: GPL-2.0-only
/* The canvas keeps every text to its cells. */
#include "views/pen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

static char text[4096];

/* A line as it would be seen; "." for a blank cell without a text. */
static const char *line(const struct canvas *canvas, size_t index)
{
	text[0] = '\0';
	for (size_t i = 0; i < canvas->nr_columns; i++) {
		const struct cell *cell = canvas__cell(canvas, index, i);

		strcat(text, !cell->columns ? "" : *cell->text ? cell->text : ".");
	}
	return text;
}

static struct canvas begin(size_t nr_lines, size_t nr_columns)
{
	struct canvas canvas = {0};

	EXPECT_EQ(canvas__resize(&canvas, nr_lines, nr_columns), 0);
	return canvas;
}

static void test_text(void)
{
	struct canvas canvas = begin(2, 12);
	struct pen pen = pen__on_canvas(&canvas, 1, 2, 8);

	EXPECT(pen__text(&pen, STYLE_BOLD, "ab"));
	EXPECT_EQ(pen__left(&pen), 4);
	EXPECT(pen__format(&pen, STYLE_PLAIN, "%d", 7));
	pen__pad(&pen, STYLE_PLAIN, 7);
	EXPECT_STR(line(&canvas, 1), "..ab7  .....");
	EXPECT_STR(line(&canvas, 0), "............");
	EXPECT_EQ(canvas__cell(&canvas, 1, 2)->style, STYLE_BOLD);
	canvas__fini(&canvas);
}

static void test_cut(void)
{
	struct canvas canvas = begin(3, 10);
	struct pen pen = pen__on_canvas(&canvas, 0, 2, 8);

	EXPECT(!pen__text(&pen, STYLE_PLAIN, "too long"));
	EXPECT_STR(line(&canvas, 0), "..too l…..");
	pen = pen__on_canvas(&canvas, 1, 0, 6);
	EXPECT(!pen__text(&pen, STYLE_PLAIN, "a漢字漢")); /* the third does not fit */
	EXPECT_STR(line(&canvas, 1), "a漢字…....");
	pen = pen__on_canvas(&canvas, 2, 0, 5);
	EXPECT(!pen__text(&pen, STYLE_PLAIN, "漢字漢"));
	EXPECT_STR(line(&canvas, 2), "漢字….....");
	canvas__fini(&canvas);
}

static void test_hostile(void)
{
	struct canvas canvas = begin(1, 40);
	struct pen pen = pen__on_canvas(&canvas, 0, 0, 40);
	size_t columns = 0;

	EXPECT(pen__text(&pen, STYLE_PLAIN, "\033[2J\r\n\x9b\xff\xe2\x80\xae漢"));
	EXPECT_STR(line(&canvas, 0), "\\x1b[2J\\x0d\\x0a\\x9b\\xff\\u{202e}漢.......");
	for (size_t i = 0; i < 40; i++)
		columns += canvas__cell(&canvas, 0, i)->columns;
	EXPECT_EQ(columns, 40);
	canvas__fini(&canvas);
}

/* A megabyte is looked at no further than it is shown; a place that there is not, takes nothing. */
static void test_bounds(void)
{
	struct canvas canvas = begin(2, 10);
	char *name = malloc(1 << 20);
	struct pen pen;

	memset(name, 'x', (1 << 20) - 1);
	name[(1 << 20) - 1] = '\0';
	pen = pen__on_canvas(&canvas, 0, 0, 1000);
	EXPECT(!pen__text(&pen, STYLE_PLAIN, name));
	EXPECT_STR(line(&canvas, 0), "xxxxxxxxx…");
	pen = pen__on_canvas(&canvas, 7, 0, 10);
	pen__text(&pen, STYLE_PLAIN, name);
	pen = pen__on_canvas(&canvas, 1, 20, 30);
	pen__text(&pen, STYLE_PLAIN, name);
	pen__pad(&pen, STYLE_PLAIN, 100);
	canvas__mark(&canvas, 9, 0, 10);
	canvas__mark(&canvas, 1, 5, 100);
	EXPECT_STR(line(&canvas, 1), "..........");
	EXPECT(canvas__cell(&canvas, 1, 9)->is_marked);
	EXPECT(!canvas__cell(&canvas, 1, 4)->is_marked);
	free(name);
	canvas__fini(&canvas);
}

int main(void)
{
	static const struct test tests[] = {
		{"text, padding, style", test_text},
		{"what does not fit", test_cut},
		{"hostile text", test_hostile},
		{"bounds", test_bounds},
		{0},
	};

	return run_tests("canvas", tests);
}
