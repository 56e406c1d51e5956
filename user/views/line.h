/* SPDX-License-Identifier: GPL-2.0-only */
/* A line that knows how much room is left: what is written after the last column is cut off. */
#ifndef TOPSTACKS_VIEWS_LINE_H
#define TOPSTACKS_VIEWS_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define UNBOUNDED SIZE_MAX

enum style {
	STYLE_PLAIN,
	STYLE_DIM,
	STYLE_BOLD,
	STYLE_ALARM,
	STYLE_KERNEL,
	STYLE_JIT,
	STYLES,
};

struct line {
	FILE *out;
	bool color;
	size_t used;	/* columns */
	size_t columns; /* that may be used; at least 1 */
};

size_t line__left(const struct line *line);

/* Any text, which is made safe. What does not fit ends in "…", and after that nothing does. */
void line__text(struct line *line, enum style style, const char *text);
void line__format(struct line *line, enum style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Spaces up to a column, and at least one; nothing if that is beyond the line. */
void line__pad(struct line *line, size_t column);

/* Ends the line; the next one is empty. */
void line__end(struct line *line);

#endif
