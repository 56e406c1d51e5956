/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A screen in memory: cells of safe text, each with a paint. Whoever has a terminal copies it there
 * cell by cell; whatever is written here cannot leave its cells.
 */
#ifndef TOPSTACKS_VIEWS_CANVAS_H
#define TOPSTACKS_VIEWS_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What text means; how that looks is the terminal's matter. */
enum paint {
	PAINT_PLAIN,
	PAINT_DIM,
	PAINT_BOLD,
	PAINT_TITLE,
	PAINT_HEADING, /* of columns */
	PAINT_TAB,     /* the view that is shown */
	PAINT_KEY,
	PAINT_ALARM,
	PAINT_KERNEL,
	PAINT_JIT,
	PAINT_UP,
	PAINT_DOWN,
	PAINT_NEW,
	PAINT_SPARK,
	PAINT_FLAME, /* the first of several shades */
	PAINT_FLAME_KERNEL = PAINT_FLAME + 4,
	PAINTS = PAINT_FLAME_KERNEL + 4,
};

#define FLAME_SHADES 4

struct cell {
	char text[5];	 /* one character; "": a blank, or the right half of a wide one */
	uint8_t columns; /* 0: the right half of a wide one */
	uint8_t paint;
	bool is_marked; /* the cursor is here */
};

struct canvas {
	struct cell *cells;
	size_t nr_lines, nr_columns;
};

/* All blank. 0 or -ENOMEM; a zeroed canvas is fine. */
int canvas__resize(struct canvas *canvas, size_t nr_lines, size_t nr_columns);
void canvas__clear(struct canvas *canvas);
void canvas__fini(struct canvas *canvas);

const struct cell *canvas__cell(const struct canvas *canvas, size_t line, size_t column);
void canvas__mark(struct canvas *canvas, size_t line, size_t start, size_t end);

/* Writes from a column on, and never at end or behind it. */
struct pen {
	struct canvas *canvas;
	size_t line, column, end;
};

/* Lines and columns that there are not are written to nowhere. */
struct pen canvas__pen(struct canvas *canvas, size_t line, size_t start, size_t end);

size_t pen__left(const struct pen *pen);
/* Any text, made safe; what does not fit ends in "…". False then. */
bool pen__text(struct pen *pen, enum paint paint, const char *text);
bool pen__format(struct pen *pen, enum paint paint, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Blanks up to a column. */
void pen__pad(struct pen *pen, enum paint paint, size_t column);

#endif
