// SPDX-License-Identifier: GPL-2.0-only
#include "base/plain.h"

#include <langinfo.h>
#include <locale.h>

/* ---- the environment ---- */

/* The first variable that is set, in the order of setlocale(3). */
static const char *find_language(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *language = getenv(names[i]);

		if (language && *language)
			return language;
	}
	return NULL;
}

bool plain__is_wanted(void)
{
	const char *language = find_language();
	locale_t locale = language ? newlocale(LC_CTYPE_MASK, language, (locale_t)0) : (locale_t)0;
	bool is_other;

	if (!locale)
		return false;
	is_other = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") != 0;
	freelocale(locale);
	return is_other;
}

/* ---- signs ---- */

const char *plain__sign(const char *character)
{
	static const char *const signs[][2] = {
		{"…", "$"}, {"±", "~"}, {"←", "<"}, {"→", ">"},	 {"│", "|"}, {"·", ":"}, {"▁", "_"},
		{"▂", "."}, {"▃", "-"}, {"▄", "="}, {"▅", "+"},	 {"▆", "*"}, {"▇", "%"}, {"█", "#"},
		{"σ", "s"}, {"↑", "^"}, {"↓", "v"}, {"┐", "\\"}, {"┘", "/"},
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (!strcmp(character, signs[i][0]))
			return signs[i][1];
	return NULL;
}

/* ---- streams ---- */

struct plain_stream {
	FILE *out;
	char pending[5]; /* the beginning of an incomplete character */
	size_t nr_pending;
};

/* Writes a terminated character. */
static void put_character(FILE *out, const char *character)
{
	const char *sign = plain__sign(character);
	uint32_t code;

	if (sign) {
		fputs(sign, out);
		return;
	}
	character__decode(character, &code);
	if (code == NOT_UTF8)
		for (; *character; character++)
			fprintf(out, "\\x%02x", (unsigned char)*character);
	else
		fprintf(out, "\\u{%" PRIx32 "}", code);
}

static size_t length_by_first(unsigned char byte)
{
	return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

static void flush_pending(struct plain_stream *stream, FILE *out)
{
	if (!stream->nr_pending)
		return;
	stream->pending[stream->nr_pending] = '\0';
	put_character(out, stream->pending);
	stream->nr_pending = 0;
}

static void take_byte(struct plain_stream *stream, FILE *out, char byte)
{
	if (((unsigned char)byte & 0xc0) != 0x80)
		flush_pending(stream, out);
	if ((unsigned char)byte < 0x80) {
		fputc(byte, out);
		return;
	}
	stream->pending[stream->nr_pending++] = byte;
	if (stream->nr_pending == length_by_first((unsigned char)stream->pending[0]))
		flush_pending(stream, out);
}

/* Writes all at once, as standard error is not buffered. */
static ssize_t write_plain(void *context, const char *bytes, size_t nr_bytes)
{
	struct plain_stream *stream = context;
	char *text = NULL;
	size_t nr_text;
	FILE *memory = open_memstream(&text, &nr_text);

	if (!memory)
		return 0;
	for (size_t i = 0; i < nr_bytes; i++)
		take_byte(stream, memory, bytes[i]);
	if (fclose(memory) || fwrite(text, 1, nr_text, stream->out) != nr_text)
		nr_bytes = 0; /* errno says why */
	free(text);
	return (ssize_t)nr_bytes;
}

static int close_plain(void *context)
{
	struct plain_stream *stream = context;

	flush_pending(stream, stream->out);
	free(stream);
	return 0;
}

FILE *plain__begin(FILE *out)
{
	const cookie_io_functions_t calls = {.write = write_plain, .close = close_plain};
	struct plain_stream *stream;
	FILE *plain;

	if (!plain__is_wanted())
		return out;
	stream = calloc(1, sizeof(*stream));
	plain = stream ? fopencookie(stream, "w", calls) : NULL;
	if (!plain) {
		free(stream);
		return NULL;
	}
	stream->out = out;
	return plain;
}

int plain__end(FILE *stream, FILE *out)
{
	if (stream == out)
		return 0;
	errno = 0;
	if (!fclose(stream))
		return 0;
	return errno > 0 ? -errno : -EIO;
}
