/* SPDX-License-Identifier: GPL-2.0-only */
/* Encodings of text other than UTF-8, which some systems write. */
#ifndef TOPSTACKS_FORMATS_ENCODING_H
#define TOPSTACKS_FORMATS_ENCODING_H

#include "base/common.h"

enum encoding {
	ENCODING_NONE,	   /* use the bytes unchanged */
	ENCODING_UTF8_BOM, /* UTF-8 behind a byte order mark */
	ENCODING_UTF16_LE,
	ENCODING_UTF16_BE,
	ENCODING_UTF32,
};

/*
 * Detects the encoding by the byte order mark; without one by the zeros between the first letters.
 */
enum encoding encoding__of(const char *bytes, size_t nr_bytes);

/*
 * Converts UTF-16 to UTF-8, without its mark; invalid characters become U+FFFD. The caller frees
 * the text. NULL: out of memory. Time is linear in the text; memory is up to 1.5 times its bytes.
 */
char *encoding__to_utf8(enum encoding encoding, const char *bytes, size_t nr_bytes,
			size_t *nr_utf8);

#endif
