/* SPDX-License-Identifier: GPL-2.0-only */
/* Markdown that others read in a comment: foreign words do nothing in it, and it is no longer than it may be. */
#ifndef TOPSTACKS_BASE_MARKDOWN_H
#define TOPSTACKS_BASE_MARKDOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * A code span, where nothing links, mentions or refers to anything, also in a cell of a table: backslashes
 * do not help against @somebody and #1. A backtick would end the one, a bar the other, and both are escaped
 * like all that is unsafe. Of a long text the middle is left out (base/middle.h).
 */
void markdown__print_code(FILE *out, const char *text);

/* The same of a function, without what it returns where it is long. */
void markdown__print_function(FILE *out, const char *name);

/* The same of words for people, such as a command, in which names are escaped already. */
void markdown__print_words(FILE *out, const char *words);

/* What is written is whole pieces, of left bytes at most. */
struct markdown {
	FILE *out;
	size_t left;
};

/* The line that begins here, its newline included. */
size_t markdown__line_length(const char *text);

/* Writes before and a line, under the same condition. */
bool markdown__add_line(struct markdown *markdown, const char *before, const char *line,
			size_t length, size_t reserved);

/* Writes the piece, unless there is too little room for it and for so many bytes after it. */
bool markdown__add(struct markdown *markdown, const char *piece, size_t reserved);

#endif
