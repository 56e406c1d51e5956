// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text for terminals and for JSON, from bytes that may come from an enemy.
 *
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

#define NOT_UTF8 UINT32_MAX
#define ELLIPSIS "…"

/* Sorted. What is not listed is one column wide. */
static const struct code_range {
	uint32_t first, last;
	unsigned int columns; /* 0: never shown as it is */
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

static unsigned int columns_of(uint32_t code)
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

/*
 * Takes one character off a terminated string that is not empty. Returns its length in bytes; *code
 * is NOT_UTF8 for a byte that begins none (overlong forms and surrogates do not).
 */
static size_t decode(const char *string, uint32_t *code)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *bytes = (const unsigned char *)string;
	size_t length = bytes[0] < 0x80 ? 1 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
	uint32_t value = length == 1 ? bytes[0] : bytes[0] & (0x7fU >> length);

	*code = NOT_UTF8;
	if ((bytes[0] >= 0x80 && bytes[0] < 0xc2) || bytes[0] > 0xf4)
		return 1;
	for (size_t i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80) /* also the terminator */
			return 1;
		value = value << 6 | (bytes[i] & 0x3f);
	}
	if (value < smallest[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 1;
	*code = value;
	return length;
}

/* A character as it will be shown. */
struct glyph {
	size_t source_bytes;
	size_t columns;
	char text[TEXT_SHOWN_SIZE];
};

static void read_glyph(struct glyph *glyph, const char *string)
{
	uint32_t code;

	glyph->source_bytes = decode(string, &code);
	glyph->columns = columns_of(code);
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

/* How an output writes what it cannot show: nr bytes that are the character code (or NOT_UTF8). */
typedef void escape_function(FILE *out, const char *bytes, size_t nr, uint32_t code);

/* Printable ASCII, which is nearly all there is. */
static bool is_plain(char byte, const char *special)
{
	for (; *special; special++)
		if (byte == *special)
			return false;
	return byte >= 0x20 && byte < 0x7f;
}

/* Safe characters go out in runs; special (ASCII) and unsafe ones go through escape. */
static void print_runs(FILE *out, const char *string, const char *special, escape_function *escape)
{
	const char *run = string;

	while (*string) {
		uint32_t code;
		size_t length;

		if (is_plain(*string, special)) {
			string++;
			continue;
		}
		length = decode(string, &code);
		if (length > 1 && columns_of(code)) {
			string += length;
			continue;
		}
		fwrite(run, 1, (size_t)(string - run), out);
		escape(out, string, length, code);
		string += length;
		run = string;
	}
	fwrite(run, 1, (size_t)(string - run), out);
}

static void escape_json(FILE *out, const char *bytes, size_t nr, uint32_t code)
{
	(void)nr;
	if (code == NOT_UTF8)
		fputs("\xef\xbf\xbd", out); /* U+FFFD */
	else if (*bytes == '"' || *bytes == '\\')
		fprintf(out, "\\%c", *bytes);
	else if (code < 0x10000)
		fprintf(out, "\\u%04" PRIx32, code);
	else
		fprintf(out, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xd800 + ((code - 0x10000) >> 10),
			0xdc00 + (code & 0x3ff));
}

void text__print_json(FILE *out, const char *string)
{
	putc('"', out);
	print_runs(out, string, "\"\\", escape_json);
	putc('"', out);
}

static void escape_bytes(FILE *out, const char *bytes, size_t nr, uint32_t code)
{
	(void)code;
	for (size_t i = 0; i < nr; i++)
		if (bytes[i] == '\\')
			fputs("\\\\", out);
		else
			fprintf(out, "\\x%02x", (unsigned char)bytes[i]);
}

void text__print_escaped(FILE *out, const char *string, const char *special)
{
	char all[32];

	snprintf(all, sizeof(all), "\\%s", special);
	print_runs(out, string, all, escape_bytes);
}

static void escape_xml(FILE *out, const char *bytes, size_t nr, uint32_t code)
{
	switch (*bytes) {
	case '<':
		fputs("&lt;", out);
		break;
	case '>':
		fputs("&gt;", out);
		break;
	case '&':
		fputs("&amp;", out);
		break;
	case '"':
		fputs("&quot;", out);
		break;
	case '\'':
		fputs("&#39;", out);
		break;
	default:
		escape_bytes(out, bytes, nr, code);
	}
}

void text__print_xml(FILE *out, const char *string)
{
	print_runs(out, string, "<>&\"'", escape_xml);
}

static void escape_csv(FILE *out, const char *bytes, size_t nr, uint32_t code)
{
	if (*bytes == '"')
		fputs("\"\"", out);
	else
		escape_bytes(out, bytes, nr, code);
}

void text__print_csv(FILE *out, const char *string)
{
	putc('"', out);
	print_runs(out, string, "\"\\", escape_csv);
	putc('"', out);
}

void text__print_number(FILE *out, double number)
{
	char text[32], *comma;

	snprintf(text, sizeof(text), "%.10g", number);
	comma = strchr(text, ',');
	if (comma)
		*comma = '.';
	fputs(text, out);
}

const char *text__plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

int text__format_count(char *text, size_t size, uint64_t count)
{
	char grouped[32]; /* 20 digits and 6 commas, written from the end */
	char *first = grouped + sizeof(grouped) - 1;
	unsigned int nr_digits = 0;

	*first = '\0';
	do {
		if (nr_digits && nr_digits % 3 == 0)
			*--first = ',';
		*--first = (char)('0' + count % 10);
		nr_digits++;
	} while (count /= 10);
	return snprintf(text, size, "%s", first);
}

/* Three significant digits without trailing zeros: 1.25, 12.5, 125, 0.5 as they are. */
static int format_scaled(char *text, size_t size, double value, const char *unit)
{
	/* Below 999.5, which would round to 1e+03: the caller has chosen the unit so. */
	return snprintf(text, size, "%.3g %s", value, unit);
}

int text__format_bytes(char *text, size_t size, uint64_t bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
	double value = (double)bytes;
	size_t unit = 0;

	for (; value >= 999.5 && unit + 1 < sizeof(units) / sizeof(units[0]); unit++)
		value /= 1000;
	return format_scaled(text, size, value, units[unit]);
}

static int format_long_duration(char *text, size_t size, uint64_t seconds)
{
	if (seconds < 3600)
		return snprintf(text, size, "%" PRIu64 " min %" PRIu64 " s", seconds / 60,
				seconds % 60);
	return snprintf(text, size, "%" PRIu64 " h %" PRIu64 " min", seconds / 3600,
			seconds / 60 % 60);
}

int text__format_duration(char *text, size_t size, uint64_t ns)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	double value = (double)ns;
	size_t unit = ns ? 0 : 3;

	if (ns >= 59950000000) /* what would round to 60 s */
		return format_long_duration(text, size,
					    ns / 1000000000 + (ns % 1000000000 >= 500000000));
	for (; value >= 999.5 && unit + 1 < sizeof(units) / sizeof(units[0]); unit++)
		value /= 1000;
	return format_scaled(text, size, value, units[unit]);
}

int text__stream_error(FILE *out)
{
	if (!ferror(out))
		return 0;
	return errno > 0 ? -errno : -EIO;
}
