// SPDX-License-Identifier: GPL-2.0-only
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/characters.h"

#define ELLIPSIS "…"

/* A character as it will be shown. */
struct glyph {
	size_t source_bytes;
	size_t columns;
	char text[TEXT_SHOWN_SIZE];
};

static void read_glyph(struct glyph *glyph, const char *string)
{
	uint32_t code;

	glyph->source_bytes = character__decode(string, &code);
	glyph->columns = character__columns(code);
	if (glyph->columns) {
		memcpy(glyph->text, string, glyph->source_bytes);
		glyph->text[glyph->source_bytes] = '\0';
	} else if (code < 0x80 || code == NOT_UTF8) {
		glyph->columns = (size_t)snprintf(glyph->text, sizeof(glyph->text), "\\x%02x",
						  (unsigned char)*string);
	} else {
		glyph->columns = (size_t)snprintf(glyph->text, sizeof(glyph->text),
						  "\\u{%" PRIx32 "}", code);
	}
}

size_t text__next(const char *string, char shown[TEXT_SHOWN_SIZE], size_t *columns)
{
	struct glyph glyph;

	read_glyph(&glyph, string);
	memcpy(shown, glyph.text, sizeof(glyph.text));
	*columns = glyph.columns;
	return glyph.source_bytes;
}

/* Stops early at the first width beyond limit. */
static size_t measure(const char *string, size_t limit)
{
	struct glyph glyph;
	size_t columns = 0;

	for (; *string && columns <= limit; string += glyph.source_bytes) {
		read_glyph(&glyph, string);
		columns += glyph.columns;
	}
	return columns;
}

size_t text__width(const char *string)
{
	return measure(string, SIZE_MAX);
}

size_t text__width_to(const char *string, size_t limit)
{
	return measure(string, limit);
}

size_t text__print_safe(FILE *out, const char *string, size_t max_columns)
{
	bool cut = max_columns && measure(string, max_columns) > max_columns;
	size_t room = cut ? max_columns - 1 : SIZE_MAX;
	struct glyph glyph;
	size_t columns = 0;

	for (; *string; string += glyph.source_bytes) {
		read_glyph(&glyph, string);
		if (glyph.columns > room - columns)
			break;
		fputs(glyph.text, out);
		columns += glyph.columns;
	}
	if (cut) {
		fputs(ELLIPSIS, out);
		columns++;
	}
	return columns;
}

char *text__safe_copy(const char *string)
{
	char *copy = NULL;
	size_t nr_bytes;
	FILE *out = open_memstream(&copy, &nr_bytes);

	if (!out)
		return NULL;
	text__print_safe(out, string, 0);
	if (!fclose(out))
		return copy;
	free(copy);
	return NULL;
}

int text__stream_error(FILE *out)
{
	if (!ferror(out))
		return 0;
	return errno > 0 ? -errno : -EIO;
}
