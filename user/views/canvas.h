/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A screen in memory: cells of safe text, each with a style. Whoever has a terminal copies it there
 * cell by cell; whatever is written here cannot leave its cells.
 */
#ifndef TOPSTACKS_VIEWS_CANVAS_H
#define TOPSTACKS_VIEWS_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cell {
	char text[5];	 /* one character; "": a blank, or the right half of a wide one */
	uint8_t columns; /* 0: the right half of a wide one */
	uint8_t style;	 /* enum style of pen.h */
	bool is_marked;	 /* the cursor is here */
};

struct canvas {
	struct cell *cells;
	size_t nr_lines, nr_columns;
};

/* All blank. 0 or -ENOMEM; a zeroed canvas is fine. */
int canvas__resize(struct canvas *canvas, size_t nr_lines, size_t nr_columns);
void canvas__clear(struct canvas *canvas);
void canvas__fini(struct canvas *canvas);

/* The line and the column must be there. */
struct cell *canvas__cell(const struct canvas *canvas, size_t line, size_t column);

/* What of the line is not there is not marked. */
void canvas__mark(struct canvas *canvas, size_t line, size_t start, size_t end);

#endif
