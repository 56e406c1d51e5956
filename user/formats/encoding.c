// SPDX-License-Identifier: GPL-2.0-only
#include "formats/encoding.h"

#define FIRST_LETTERS 8
#define REPLACEMENT   0xfffd

/* True if the text begins with ASCII letters, each with a zero before or behind it. */
static bool alternates(const char *bytes, size_t nr_bytes, size_t zeros_at)
{
	if (nr_bytes < 2 * (size_t)FIRST_LETTERS)
		return false;
	for (size_t i = 0; i < 2 * (size_t)FIRST_LETTERS; i++) {
		const unsigned char byte = (unsigned char)bytes[i];

		if (i % 2 == zeros_at ? byte != 0 : byte < ' ' || byte > '~')
			return false;
	}
	return true;
}

enum encoding encoding__of(const char *bytes, size_t nr_bytes)
{
	if (nr_bytes >= 4 &&
	    (!memcmp(bytes, "\xff\xfe\0\0", 4) || !memcmp(bytes, "\0\0\xfe\xff", 4)))
		return ENCODING_UTF32;
	if (nr_bytes >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3))
		return ENCODING_UTF8_BOM;
	if (nr_bytes >= 2 && !memcmp(bytes, "\xff\xfe", 2))
		return ENCODING_UTF16_LE;
	if (nr_bytes >= 2 && !memcmp(bytes, "\xfe\xff", 2))
		return ENCODING_UTF16_BE;
	if (alternates(bytes, nr_bytes, 1))
		return ENCODING_UTF16_LE;
	return alternates(bytes, nr_bytes, 0) ? ENCODING_UTF16_BE : ENCODING_NONE;
}

static uint32_t unit_at(enum encoding encoding, const char *bytes)
{
	const unsigned char first = (unsigned char)bytes[0], second = (unsigned char)bytes[1];

	return encoding == ENCODING_UTF16_LE ? (uint32_t)(second << 8 | first)
					     : (uint32_t)(first << 8 | second);
}

static char *put_utf8(char *at, uint32_t code)
{
	if (code < 0x80) {
		*at++ = (char)code;
		return at;
	}
	if (code < 0x800) {
		*at++ = (char)(0xc0 | code >> 6);
	} else {
		if (code < 0x10000) {
			*at++ = (char)(0xe0 | code >> 12);
		} else {
			*at++ = (char)(0xf0 | code >> 18);
			*at++ = (char)(0x80 | (code >> 12 & 0x3f));
		}
		*at++ = (char)(0x80 | (code >> 6 & 0x3f));
	}
	*at++ = (char)(0x80 | (code & 0x3f));
	return at;
}

char *encoding__to_utf8(enum encoding encoding, const char *bytes, size_t nr_bytes, size_t *nr_utf8)
{
	char *text = malloc(nr_bytes / 2 * 3 + 4), *at = text;

	if (!text)
		return NULL;
	for (size_t i = 0; i + 1 < nr_bytes; i += 2) {
		uint32_t code = unit_at(encoding, bytes + i), low;

		if (!i && code == 0xfeff)
			continue;
		if (code >= 0xd800 && code < 0xdc00 && i + 3 < nr_bytes) {
			low = unit_at(encoding, bytes + i + 2);
			if (low >= 0xdc00 && low < 0xe000) {
				code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
				i += 2;
			}
		}
		at = put_utf8(at, code >= 0xd800 && code < 0xe000 ? REPLACEMENT : code);
	}
	if (nr_bytes % 2)
		at = put_utf8(at, REPLACEMENT);
	*nr_utf8 = (size_t)(at - text);
	return text;
}
