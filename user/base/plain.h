/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text for people whose locale is not UTF-8: all ASCII, with the same width. Our own signs have
 * ASCII forms; other characters, which come from names, are written as their number: \u{e9}.
 */
#ifndef TOPSTACKS_BASE_PLAIN_H
#define TOPSTACKS_BASE_PLAIN_H

#include "base/common.h"

/*
 * Whether the locale is not UTF-8. Without a setting, or with a language that is not installed,
 * UTF-8 is assumed.
 */
bool plain__is_wanted(void);

/* The ASCII form of one of our signs, terminated. NULL: the character is not ours. */
const char *plain__sign(const char *character);

/*
 * Returns a stream that writes to out in ASCII if plain text is wanted; else out itself. NULL: out
 * of memory.
 */
FILE *plain__begin(FILE *out);

/* Closes a stream of plain__begin(), but not out. 0 or negative errno. */
int plain__end(FILE *stream, FILE *out);

#endif
