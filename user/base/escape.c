// SPDX-License-Identifier: GPL-2.0-only
#include "base/escape.h"

/* Writes a character that an output cannot show: nr bytes with the character code (or NOT_UTF8). */
typedef void escape_function(FILE *out, const char *bytes, size_t nr, uint32_t code);

/* Whether a byte is printable ASCII and not special: the usual case. */
static bool is_plain(char byte, const char *special)
{
	for (; *special; special++)
		if (byte == *special)
			return false;
	return byte >= 0x20 && byte < 0x7f;
}

/* Prints safe characters in runs, and passes special (ASCII) and unsafe ones to escape. */
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
		length = character__decode(string, &code);
		if (length > 1 && character__columns(code)) {
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
	if (nr && !code) { /* a TEXT_NUL: one byte, stored as two */
		fputs("\\x00", out);
		return;
	}
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

void text__print_words(FILE *out, const char *words, const char *special)
{
	print_runs(out, words, special, escape_bytes);
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

/* A spreadsheet takes a cell that begins with a sign for a formula; some also full-width ones. */
void text__print_csv(FILE *out, const char *string)
{
	static const char *const signs[] = {"=", "+", "-", "@", "＝", "＋", "－", "＠"};
	size_t nr = 0;

	for (size_t i = 0; !nr && i < sizeof(signs) / sizeof(signs[0]); i++)
		if (!strncmp(string, signs[i], strlen(signs[i])))
			nr = strlen(signs[i]);
	putc('"', out);
	escape_bytes(out, string, nr, NOT_UTF8);
	print_runs(out, string + nr, "\"\\", escape_csv);
	putc('"', out);
}
