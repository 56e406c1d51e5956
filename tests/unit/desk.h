/* SPDX-License-Identifier: GPL-2.0-only */
/* The live view on a canvas, for tests: keys are pressed, and the screen is text. */
#ifndef TOPSTACKS_TESTS_DESK_H
#define TOPSTACKS_TESTS_DESK_H

#include "live/paint.h"
#include "live/ui.h"
#include "live_model.h"

struct desk {
	struct live live;
	struct ui ui;
	struct canvas canvas;
	enum action left;
};

static inline struct desk begin(size_t nr_lines, size_t nr_columns)
{
	struct desk desk = {.ui = {.interval_s = 5, .rate_hz = 99, .running_ns = 12000000000}};

	live__init(&desk.live, 1 << 20);
	EXPECT_EQ(canvas__resize(&desk.canvas, nr_lines, nr_columns), 0);
	return desk;
}

static inline void end(struct desk *desk)
{
	live__fini(&desk->live);
	canvas__fini(&desk->canvas);
}

/* The whole screen, lines without blanks at their ends; until the next call. */
static inline char *screen(struct desk *desk)
{
	static char text[65536];
	char *at = text;

	EXPECT_EQ(paint__screen(&desk->canvas, &desk->live, &desk->ui), 0);
	for (size_t i = 0; i < desk->canvas.nr_lines; i++) {
		for (size_t j = 0; j < desk->canvas.nr_columns; j++) {
			const struct cell *cell = canvas__cell(&desk->canvas, i, j);

			at = stpcpy(at, cell->columns && !*cell->text ? " " : cell->text);
		}
		while (at > text && at[-1] == ' ')
			at--;
		at = stpcpy(at, "\n");
	}
	return text;
}

static inline bool shows(struct desk *desk, const char *what)
{
	return strstr(screen(desk), what) != NULL;
}

/* Keys, one after the other; returns what the last one asks for. */
static inline enum action press(struct desk *desk, const char *keys)
{
	for (; *keys; keys++)
		EXPECT_EQ(ui__take(&desk->ui, &desk->live, *keys, &desk->left), 0);
	return desk->left;
}

static inline enum action press_one(struct desk *desk, int input)
{
	EXPECT_EQ(ui__take(&desk->ui, &desk->live, input, &desk->left), 0);
	return desk->left;
}

#endif
