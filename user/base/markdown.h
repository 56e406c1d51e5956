/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Markdown for comments that other people read: untrusted words have no effect in it, and its
 * length is limited.
 */
#ifndef TOPSTACKS_BASE_MARKDOWN_H
#define TOPSTACKS_BASE_MARKDOWN_H

#include "base/common.h"

/*
 * Prints a code span, in which nothing links or mentions, also within a table cell: backslashes do
 * not help against @name and #1. Backticks, which would end the span, and bars, which would end the
 * cell, are escaped like unsafe characters. A long text loses its middle (base/middle.h).
 */
void markdown__print_code(FILE *out, const char *text);

/* The same for the name of a function; a long name loses its return type. */
void markdown__print_function(FILE *out, const char *name);

/* The same for words for people, such as a command, in which names are escaped already. */
void markdown__print_words(FILE *out, const char *words);

/* Output in whole pieces, with a limit of bytes left. */
struct markdown {
	FILE *out;
	size_t left;
};

/* Length of the first line of text, with its newline. */
size_t markdown__line_length(const char *text);

/* Writes `before` and a line if markdown__add() would. Returns whether it did. */
bool markdown__add_line(struct markdown *markdown, const char *before, const char *line,
			size_t length, size_t reserved);

/* Writes a piece if it and `reserved` more bytes fit. Returns whether it did. */
bool markdown__add(struct markdown *markdown, const char *piece, size_t reserved);

#endif
