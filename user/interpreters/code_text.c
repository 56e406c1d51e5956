// SPDX-License-Identifier: GPL-2.0-only
#include "interpreters/code_text.h"

#include "base/cursor.h"

#define ELLIPSIS	    "…"
#define REPLACEMENT	    0xfffd /* character */
#define MAX_CHARACTER_BYTES 4

/*
 * Reads a character. Half a character at the end gives zero, and so does all text of an unknown
 * width.
 */
static uint32_t next_code(struct cursor *cursor, uint8_t width)
{
	const size_t left = cursor__left(cursor);
	char string[MAX_CHARACTER_BYTES + 1] = "";
	uint32_t code;

	switch (width) {
	case 0: /* UTF-8; the decoder needs a terminated string, which a copy is not */
		memcpy(string, cursor->at, left < MAX_CHARACTER_BYTES ? left : MAX_CHARACTER_BYTES);
		cursor__skip(cursor, character__decode(string, &code));
		return code;
	case 1:
	case 2:
	case 4:
		return (uint32_t)cursor__unsigned(cursor, width);
	default:
		cursor__fail(cursor);
		return 0;
	}
}

/* Encodes a character and returns its number of bytes. */
static size_t encode(uint32_t code, char to[MAX_CHARACTER_BYTES])
{
	const size_t nr = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const uint8_t first[] = {0, 0, 0xc0, 0xe0, 0xf0};

	for (size_t i = nr - 1; i > 0; i--) {
		to[i] = (char)(0x80 | (code & 0x3f));
		code >>= 6;
	}
	to[0] = (char)(first[nr] | code);
	return nr;
}

size_t code_text__write(const struct code_text *text, const char *bytes, char *to, size_t size)
{
	const uint8_t *at = (const uint8_t *)bytes;
	struct cursor cursor = {.at = at, .end = at + text->nr_bytes};
	size_t length = 0, cut_at = 0; /* cut_at: the last place where "…" fits */
	bool is_cut = text->is_cut;

	while (size && cursor__left(&cursor)) {
		const uint32_t code = next_code(&cursor, text->width);
		const bool is_valid = code && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
		char character[MAX_CHARACTER_BYTES];
		size_t nr = encode(is_valid ? code : REPLACEMENT, character);

		if (nr >= size - length) {
			is_cut = true;
			break;
		}
		memcpy(to + length, character, nr);
		length += nr;
		if (size - length >= sizeof(ELLIPSIS))
			cut_at = length;
	}
	if (is_cut && size >= sizeof(ELLIPSIS)) {
		memcpy(to + cut_at, ELLIPSIS, strlen(ELLIPSIS));
		length = cut_at + strlen(ELLIPSIS);
	}
	if (size)
		to[length] = '\0';
	return length;
}
