/* SPDX-License-Identifier: GPL-2.0-only */
/* Text that is not in UTF-8, as some systems write it. */
#ifndef TOPSTACKS_FORMATS_ENCODING_H
#define TOPSTACKS_FORMATS_ENCODING_H

#include <stddef.h>

enum encoding {
	ENCODING_NONE,	   /* bytes as they are */
	ENCODING_UTF8_BOM, /* UTF-8 behind a mark that says so */
	ENCODING_UTF16_LE,
	ENCODING_UTF16_BE,
	ENCODING_UTF32,
};

/* By a mark at the beginning, or where it is missing by the zeros between the first letters. */
enum encoding encoding__of(const char *bytes, size_t nr_bytes);

/*
 * UTF-16 as UTF-8, without a mark; what is no character is U+FFFD. The caller's to free(). NULL: out of
 * memory. Takes time, and up to 1.5 times the bytes, linear in the text.
 */
char *encoding__to_utf8(enum encoding encoding, const char *bytes, size_t nr_bytes,
			size_t *nr_utf8);

#endif
