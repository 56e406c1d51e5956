// SPDX-License-Identifier: GPL-2.0-only
#include "base/plain.h"

#include <langinfo.h>
#include <locale.h>

/* ---- the environment ---- */

bool plain__is_wanted(void)
{
	/* In the order of setlocale(3). */
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *language = NULL;
	locale_t locale;
	bool is_other;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !(language && *language); i++)
		language = getenv(names[i]);
	locale = language && *language ? newlocale(LC_CTYPE_MASK, language, (locale_t)0)
				       : (locale_t)0;
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

static void flush_pending(struct plain_stream *stream, FILE *out)
{
	const char *character = stream->pending, *sign;
	uint32_t code;

	if (!stream->nr_pending)
		return;
	stream->pending[stream->nr_pending] = '\0';
	stream->nr_pending = 0;
	sign = plain__sign(character);
	character__decode(character, &code);
	if (sign)
		fputs(sign, out);
	else if (code != NOT_UTF8)
		fprintf(out, "\\u{%" PRIx32 "}", code);
	else
		for (; *character; character++)
			fprintf(out, "\\x%02x", (unsigned char)*character);
}

static void take_byte(struct plain_stream *stream, FILE *out, char byte)
{
	unsigned char first;
	size_t length;

	if (((unsigned char)byte & 0xc0) != 0x80)
		flush_pending(stream, out);
	if ((unsigned char)byte < 0x80) {
		fputc(byte, out);
		return;
	}
	stream->pending[stream->nr_pending++] = byte;
	first = (unsigned char)stream->pending[0];
	length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
	if (stream->nr_pending == length)
		flush_pending(stream, out);
}

/* Writes all at once, as standard error is not buffered. */
static ssize_t write_plain(void *context, const char *bytes, size_t nr_bytes)
{
	struct plain_stream *stream = context;
	char *text = NULL;
	size_t nr_text;
	FILE *memory = xmemstream(&text, &nr_text);
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
	stream = xcalloc(1, sizeof(*stream));
	stream->out = out;
	plain = fopencookie(stream, "w", calls);
	if (!plain)
		free(stream);
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
