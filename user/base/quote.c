// SPDX-License-Identifier: GPL-2.0-only
/*
 * Quotes for messages. The escaping is text.c's; here it goes to a buffer of fixed size, so that an
 * error can be reported when memory is lacking.
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
	fclose(out); /* terminates the text, or leaves the last byte as it is */
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
