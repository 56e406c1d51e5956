// SPDX-License-Identifier: GPL-2.0-only
/*
 * Widths come from the table below and not from wcwidth(), which depends on the locale. Terminals
 * disagree with every table, so this one is an upper bound: in doubt a character is wide (a symbol
 * that may be drawn as an emoji) or escaped (invisible, private, unassigned planes), and combining
 * marks count as one column. A line that fits by our count fits everywhere.
 */
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define ELLIPSIS "…"

/* Sorted. A character not listed is one column wide. */
static const struct code_range {
	uint32_t first, last;
	unsigned int columns; /* 0: must be escaped */
} ranges[] = {
	{0x0000, 0x001f, 0},	/* C0 */
	{0x007f, 0x009f, 0},	/* DEL, C1 */
	{0x00ad, 0x00ad, 0},	/* soft hyphen */
	{0x034f, 0x034f, 0},	/* grapheme joiner */
	{0x0600, 0x0605, 0},	/* Arabic number signs */
	{0x061c, 0x061c, 0},	/* Arabic letter mark */
	{0x06dd, 0x06dd, 0},	/* end of ayah */
	{0x070f, 0x070f, 0},	/* Syriac abbreviation mark */
	{0x0890, 0x0891, 0},	/* Arabic pound and piastre marks */
	{0x08e2, 0x08e2, 0},	/* disputed end of ayah */
	{0x1100, 0x115e, 2},	/* Hangul initials */
	{0x115f, 0x1160, 0},	/* Hangul fillers */
	{0x17b4, 0x17b5, 0},	/* invisible Khmer vowels */
	{0x180b, 0x180f, 0},	/* Mongolian selectors and separator */
	{0x2000, 0x200f, 0},	/* odd spaces, zero width, direction marks */
	{0x2028, 0x202f, 0},	/* line ends, bidi embeddings and overrides */
	{0x205f, 0x206f, 0},	/* invisible operators, bidi isolates */
	{0x2300, 0x23ff, 2},	/* technical symbols, some emoji */
	{0x25fd, 0x25fe, 2},	/* squares */
	{0x2600, 0x27bf, 2},	/* symbols, many emoji */
	{0x2b00, 0x2bff, 2},	/* arrows and symbols */
	{0x2e80, 0x3163, 2},	/* CJK radicals to Hangul letters */
	{0x3164, 0x3164, 0},	/* Hangul filler */
	{0x3165, 0xa4cf, 2},	/* CJK, Yi */
	{0xa960, 0xa97f, 2},	/* Hangul initials */
	{0xac00, 0xd7ff, 2},	/* Hangul */
	{0xe000, 0xf8ff, 0},	/* private use */
	{0xf900, 0xfaff, 2},	/* CJK compatibility */
	{0xfdd0, 0xfdef, 0},	/* noncharacters */
	{0xfe00, 0xfe0f, 0},	/* variation selectors */
	{0xfe10, 0xfe6f, 2},	/* vertical and small forms */
	{0xfeff, 0xfeff, 0},	/* byte order mark */
	{0xff00, 0xff60, 2},	/* full width */
	{0xffa0, 0xffa0, 0},	/* half-width Hangul filler */
	{0xffe0, 0xffe6, 2},	/* full-width signs */
	{0xfff0, 0xfffc, 0},	/* annotations, object replacement */
	{0xfffe, 0xffff, 0},	/* noncharacters */
	{0x110bd, 0x110cd, 0},	/* Kaithi number signs */
	{0x13430, 0x1345f, 0},	/* hieroglyph joiners */
	{0x16fe0, 0x18dff, 2},	/* Tangut */
	{0x1aff0, 0x1b2ff, 2},	/* Kana supplements, Nushu */
	{0x1bca0, 0x1bca3, 0},	/* shorthand controls */
	{0x1d173, 0x1d17a, 0},	/* musical controls */
	{0x1d300, 0x1d37f, 2},	/* Tai Xuan Jing, counting rods */
	{0x1f000, 0x1ffff, 2},	/* emoji and tiles */
	{0x20000, 0x3ffff, 2},	/* CJK extensions */
	{0x40000, 0x10ffff, 0}, /* unassigned, tags, private use */
};

unsigned int character__columns(uint32_t code)
{
	if (code >= 0x20 && code < 0x7f)
		return 1;
	if (code == NOT_UTF8)
		return 0;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]) && code >= ranges[i].first; i++)
		if (code <= ranges[i].last)
			return ranges[i].columns;
	return 1;
}

size_t character__decode(const char *string, uint32_t *code)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *bytes = (const unsigned char *)string;
	size_t length = bytes[0] < 0x80 ? 1 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
	uint32_t value = length == 1 ? bytes[0] : bytes[0] & (0x7fU >> length);

	*code = NOT_UTF8;
	if (bytes[0] == 0xc0 && bytes[1] == 0x80) { /* TEXT_NUL */
		*code = 0;
		return 2;
	}
	if ((bytes[0] >= 0x80 && bytes[0] < 0xc2) || bytes[0] > 0xf4)
		return 1;
	for (size_t i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80) /* false for the terminator, too */
			return 1;
		value = value << 6 | (bytes[i] & 0x3f);
	}
	if (value < smallest[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 1;
	*code = value;
	return length;
}

size_t text__next(const char *string, char shown[TEXT_SHOWN_SIZE], size_t *columns)
{
	uint32_t code;
	size_t nr_bytes = character__decode(string, &code);

	*columns = character__columns(code);
	if (*columns) {
		memcpy(shown, string, nr_bytes);
		shown[nr_bytes] = '\0';
	} else if (code < 0x80 || code == NOT_UTF8) {
		*columns = (size_t)snprintf(shown, TEXT_SHOWN_SIZE, "\\x%02x",
					    code ? (unsigned char)*string : 0);
	} else {
		*columns = (size_t)snprintf(shown, TEXT_SHOWN_SIZE, "\\u{%" PRIx32 "}", code);
	}
	return nr_bytes;
}

size_t text__width(const char *string)
{
	return text__width_to(string, SIZE_MAX);
}

size_t text__width_to(const char *string, size_t limit)
{
	char shown[TEXT_SHOWN_SIZE];
	size_t width = 0, columns;

	while (*string && width <= limit) {
		string += text__next(string, shown, &columns);
		width += columns;
	}
	return width;
}

size_t text__print_safe(FILE *out, const char *string, size_t max_columns)
{
	bool cut = max_columns && text__width_to(string, max_columns) > max_columns;
	size_t room = cut ? max_columns - 1 : SIZE_MAX;
	size_t width = 0, columns;
	char shown[TEXT_SHOWN_SIZE];

	while (*string) {
		string += text__next(string, shown, &columns);
		if (columns > room - width)
			break;
		fputs(shown, out);
		width += columns;
	}
	if (cut) {
		fputs(ELLIPSIS, out);
		width++;
	}
	return width;
}

char *text__safe_copy(const char *string)
{
	char *copy;
	size_t nr_bytes;
	FILE *out = xmemstream(&copy, &nr_bytes);

	text__print_safe(out, string, 0);
	xfclose(out);
	return copy;
}

int text__stream_error(FILE *out)
{
	if (!ferror(out))
		return 0;
	return errno > 0 ? -errno : -EIO;
}

char *text__of_bytes(const char *bytes, size_t nr_bytes)
{
	char *string = malloc(nr_bytes * strlen(TEXT_NUL) + 1), *end = string;

	for (size_t i = 0; string && i < nr_bytes; i++)
		if (bytes[i])
			*end++ = bytes[i];
		else
			end = stpcpy(end, TEXT_NUL);
	if (string)
		*end = '\0';
	return string;
}

size_t text__to_bytes(char *string)
{
	char *end = string, *at;

	for (at = string; *at; at++) {
		const bool is_nul = at[0] == TEXT_NUL[0] && at[1] == TEXT_NUL[1];

		*end++ = is_nul ? '\0' : *at;
		at += is_nul;
	}
	return (size_t)(end - string);
}
