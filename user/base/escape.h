/* SPDX-License-Identifier: GPL-2.0-only */
/* Foreign text in the formats of programs: whatever it is, it stays within its field. */
#ifndef TOPSTACKS_BASE_ESCAPE_H
#define TOPSTACKS_BASE_ESCAPE_H

#include <stdio.h>

/* A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void text__print_json(FILE *out, const char *string);

/*
 * The same safety, but nothing is lost: a backslash becomes \\, and each byte of what is unsafe, of
 * what is not UTF-8, and of the characters in special (ASCII) becomes \xNN.
 */
void text__print_escaped(FILE *out, const char *string, const char *special);

/* The same of words whose names are escaped already: a backslash is a part of them, and stays one. */
void text__print_words(FILE *out, const char *words, const char *special);

/* Inside of an XML element or a quoted attribute; what is unsafe becomes \xNN. */
void text__print_xml(FILE *out, const char *string);

/*
 * A field of RFC 4180 with its quotes; what is unsafe is escaped as in text__print_escaped(), and so
 * is a first sign that would make a formula of it: = + - @, also full-width.
 */
void text__print_csv(FILE *out, const char *string);

#endif
