/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pen writes styled text, made safe, and counts its columns. It writes into a stream, where a
 * style is an escape sequence or nothing, or into a line of a canvas. Text that does not fit ends
 * in "…"; a stream may be unbounded. So the same code writes a line for a pipe and a line of the
 * screen.
 */
#ifndef TOPSTACKS_VIEWS_PEN_H
#define TOPSTACKS_VIEWS_PEN_H

#include "base/common.h"

/* The meaning of text. pen.c draws styles in streams, live/screen.c in cells. */
enum style {
	STYLE_PLAIN,
	STYLE_DIM,
	STYLE_BOLD,
	STYLE_ALARM,
	STYLE_KERNEL,
	STYLE_JIT,
	STYLE_TITLE,
	STYLE_HEADING, /* of columns */
	STYLE_TAB,     /* the current view */
	STYLE_KEY,
	STYLE_UP,
	STYLE_DOWN,
	STYLE_NEW,
	STYLE_SPARK,
	STYLE_FLAME, /* the first of several shades */
	STYLE_FLAME_KERNEL = STYLE_FLAME + 4,
	STYLES = STYLE_FLAME_KERNEL + 4,
};

#define FLAME_SHADES 4

struct cell {
	char text[5];	 /* one character; "": a blank, or the right half of a wide one */
	uint8_t columns; /* 0: the right half of a wide one */
	uint8_t style;	 /* enum style */
	bool is_marked;	 /* the cursor is here */
};

/*
 * A screen in memory: cells of safe text, which a terminal gets cell by cell. Text in a cell cannot
 * affect others.
 */
struct canvas {
	struct cell *cells;
	size_t nr_lines, nr_columns;
};

/* Resizes the canvas and makes it blank. 0 or -ENOMEM; a zeroed canvas is fine. */
int canvas__resize(struct canvas *canvas, size_t nr_lines, size_t nr_columns);
void canvas__clear(struct canvas *canvas);
void canvas__fini(struct canvas *canvas);

/* The line and the column must be on the canvas. */
struct cell *canvas__cell(const struct canvas *canvas, size_t line, size_t column);

/* Marks columns of a line; those beyond the canvas are ignored. */
void canvas__mark(struct canvas *canvas, size_t line, size_t start, size_t end);

struct pen {
	FILE *out;  /* NULL: write into the canvas */
	bool color; /* of the stream */
	struct canvas *canvas;
	size_t line; /* line of the canvas */
	/* next column, and the first one without room; end SIZE_MAX: no limit */
	size_t column, end;
};

/* width: columns of a line; 0: no limit. */
struct pen pen__on_stream(FILE *out, bool color, size_t width);

/* Writes from column start to end - 1. Parts beyond the canvas take no text. */
struct pen pen__on_canvas(struct canvas *canvas, size_t line, size_t start, size_t end);

size_t pen__left(const struct pen *pen);

/* False: the pen has no limit. */
bool pen__is_bounded(const struct pen *pen);

/* Writes any text, made safe. False: it was cut, and ends in "…". */
bool pen__text(struct pen *pen, enum style style, const char *text);
bool pen__format(struct pen *pen, enum style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Writes any text into a stream, with line breaks between words; the next line begins at the column
 * indent. Only a word wider than a line is broken.
 */
void pen__wrap(struct pen *pen, enum style style, const char *text, size_t indent);

/* Writes blanks up to a column. */
void pen__pad(struct pen *pen, enum style style, size_t column);

/* Ends the line of a stream and begins the next one. */
void pen__end_line(struct pen *pen);

#endif
