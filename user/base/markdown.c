// SPDX-License-Identifier: GPL-2.0-only
#include "base/markdown.h"

#include <stdint.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"

/* Characters. Both ends of a long name tell something, the last one more. */
#define FIRST_PART 60
#define LAST_PART  99

/* Where so many characters end, or the text. */
static const char *skip(const char *text, size_t nr)
{
	uint32_t code;

	for (; nr && *text; nr--)
		text += character__decode(text, &code);
	return text;
}

static size_t count(const char *text)
{
	uint32_t code;
	size_t nr = 0;

	for (; *text; nr++)
		text += character__decode(text, &code);
	return nr;
}

typedef void print_text(FILE *out, const char *text, const char *special);

static void print_part(FILE *out, const char *from, const char *end, print_text *print)
{
	char part[4 * FIRST_PART + 1] = "";

	memcpy(part, from, (size_t)(end - from));
	print(out, part, "`|");
}

static void print_span(FILE *out, const char *text, print_text *print)
{
	const size_t nr = count(text);

	fputs("`", out);
	if (nr > FIRST_PART + 1 + LAST_PART) {
		print_part(out, text, skip(text, FIRST_PART), print);
		fputs("…", out);
		text = skip(text, nr - LAST_PART);
	}
	print(out, *text ? text : "(empty)", "`|");
	fputs("`", out);
}

void markdown__print_code(FILE *out, const char *text)
{
	print_span(out, text, text__print_escaped);
}

void markdown__print_words(FILE *out, const char *words)
{
	print_span(out, words, text__print_words);
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
