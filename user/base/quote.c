// SPDX-License-Identifier: GPL-2.0-only
/*
 * Quoting for messages. The escaping itself is text.c's; here it goes to a buffer of fixed size, so
 * that an error can be said when memory is what is missing.
 */
#include "base/quote.h"

#include <stdio.h>

#include "base/text.h"

enum { MAX_COLUMNS = 50 };

static const char *print(struct quoted *quoted, const char *string, const char *mark)
{
	FILE *out = fmemopen(quoted->text, sizeof(quoted->text), "w");

	if (!out) {
		snprintf(quoted->text, sizeof(quoted->text), "it");
		return quoted->text;
	}
	fputs(mark, out);
	text__print_safe(out, string, MAX_COLUMNS);
	fputs(mark, out);
	fclose(out); /* ends the text with a NUL, or leaves the last byte alone */
	quoted->text[sizeof(quoted->text) - 1] = '\0';
	return quoted->text;
}

const char *quote(struct quoted *quoted, const char *string)
{
	return print(quoted, string, "\"");
}

const char *quote__noun(struct quoted *quoted, const char *noun)
{
	return print(quoted, noun, "");
}
