// SPDX-License-Identifier: GPL-2.0-only
#include "base/markdown.h"

#include "base/escape.h"
#include "base/middle.h"

typedef void print_text(FILE *out, const char *text, const char *special);

static void print_span(FILE *out, const char *text, print_text *print)
{
	fputs("`", out);
	print(out, *text ? text : "(empty)", "`|");
	fputs("`", out);
}

void markdown__print_code(FILE *out, const char *text)
{
	char shortened[MIDDLE_SIZE];

	print_span(out, middle__shorten(text, MIDDLE_MOST, shortened), text__print_escaped);
}

void markdown__print_function(FILE *out, const char *name)
{
	char shortened[MIDDLE_SIZE];

	print_span(out, middle__shorten_function(name, MIDDLE_MOST, shortened),
		   text__print_escaped);
}

void markdown__print_words(FILE *out, const char *words)
{
	char shortened[MIDDLE_SIZE];

	print_span(out, middle__shorten(words, MIDDLE_MOST, shortened), text__print_words);
}

size_t markdown__line_length(const char *text)
{
	const char *end = strchr(text, '\n');

	return end ? (size_t)(end - text) + 1 : strlen(text);
}

bool markdown__add_line(struct markdown *markdown, const char *before, const char *line,
			size_t length, size_t reserved)
{
	const size_t used = strlen(before) + length;

	if (used > markdown->left || reserved > markdown->left - used)
		return false;
	fputs(before, markdown->out);
	fwrite(line, 1, length, markdown->out);
	markdown->left -= used;
	return true;
}

bool markdown__add(struct markdown *markdown, const char *piece, size_t reserved)
{
	return markdown__add_line(markdown, "", piece, strlen(piece), reserved);
}
