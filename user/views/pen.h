/* SPDX-License-Identifier: GPL-2.0-only */
/* A line of text in colours that counts its columns, for what is to stand below each other. */
#ifndef TOPSTACKS_VIEWS_PEN_H
#define TOPSTACKS_VIEWS_PEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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
	size_t used; /* columns */
};

/* Any text, which is made safe. */
void line__text(struct line *line, enum style style, const char *text);
void line__format(struct line *line, enum style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Spaces up to a column, and at least one. */
void line__pad(struct line *line, size_t column);

/* Ends the line; the next one is empty. */
void line__end(struct line *line);

#endif
