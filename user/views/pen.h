/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pen writes styled text, made safe, and counts its columns: into a stream, where a style is an
 * escape sequence or nothing, or into a line of a canvas. What does not fit ends in "…"; a stream may
 * have room for all. The same code can so write a line for a pipe and a line of the screen.
 */
#ifndef TOPSTACKS_VIEWS_PEN_H
#define TOPSTACKS_VIEWS_PEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What text means. How it is drawn is decided by pen.c for streams, by live/screen.c for cells. */
enum style {
	STYLE_PLAIN,
	STYLE_DIM,
	STYLE_BOLD,
	STYLE_ALARM,
	STYLE_KERNEL,
	STYLE_JIT,
	STYLE_TITLE,
	STYLE_HEADING, /* of columns */
	STYLE_TAB,     /* the view that is shown */
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
 * A screen in memory: cells of safe text. Whoever has a terminal copies it there cell by cell;
 * whatever is written here cannot leave its cells.
 */
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

struct pen {
	FILE *out;  /* a stream; NULL: text goes into the canvas */
	bool color; /* of the stream */
	struct canvas *canvas;
	size_t line;	    /* of the canvas */
	size_t column, end; /* where text goes on, and where none goes; end SIZE_MAX: nowhere */
};

/* width: of its lines, in columns; 0: as wide as they get. */
struct pen pen__on_stream(FILE *out, bool color, size_t width);

/* From a column to the one before end. Lines and columns that there are not take nothing. */
struct pen pen__on_canvas(struct canvas *canvas, size_t line, size_t start, size_t end);

size_t pen__left(const struct pen *pen);

/* False: nothing is ever cut. */
bool pen__is_bounded(const struct pen *pen);

/* Any text, made safe. False: it did not fit, was cut and ends in "…". */
bool pen__text(struct pen *pen, enum style style, const char *text);
bool pen__format(struct pen *pen, enum style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Any text, into a stream: where it does not fit a line ends between words, and the next one begins at the column
 * indent. Only a word that no line has room for is broken.
 */
void pen__wrap(struct pen *pen, enum style style, const char *text, size_t indent);

/* Blanks up to a column. */
void pen__pad(struct pen *pen, enum style style, size_t column);

/* Ends the line of a stream and begins the next one. */
void pen__end_line(struct pen *pen);

#endif
