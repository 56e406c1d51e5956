/* SPDX-License-Identifier: GPL-2.0-only */
/* Prints untrusted text in machine-readable formats, so that it stays within its field. */
#ifndef TOPSTACKS_BASE_ESCAPE_H
#define TOPSTACKS_BASE_ESCAPE_H

#include "base/common.h"

/* Prints a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void text__print_json(FILE *out, const char *string);

/*
 * Prints text without loss: a backslash becomes \\, and each byte of an unsafe character, of bytes
 * that are not UTF-8, and of the characters in special (ASCII) becomes \xNN.
 */
void text__print_escaped(FILE *out, const char *string, const char *special);

/* The same for words in which names are escaped already: a backslash stays a backslash. */
void text__print_words(FILE *out, const char *words, const char *special);

/* Prints text for an XML element or a quoted attribute; unsafe characters become \xNN. */
void text__print_xml(FILE *out, const char *string);

/*
 * Prints a field of RFC 4180 with its quotes. Unsafe characters are escaped as by
 * text__print_escaped(), and so is a first = + - or @, also full-width, which a spreadsheet would
 * take for a formula.
 */
void text__print_csv(FILE *out, const char *string);

#endif
