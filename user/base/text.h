/* SPDX-License-Identifier: GPL-2.0-only */
/* Making text safe and readable: escaping, display width, units. */
#ifndef TOPSTACKS_BASE_TEXT_H
#define TOPSTACKS_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Writes a hostile string so that it is safe on a terminal: control characters, C1 controls, bidi
 * overrides, what is invisible, and bytes that are not UTF-8 become \xNN (or \u{NNNN}); at most
 * max_columns wide, the rest is cut and ends in "…" (0: unbounded). For eyes only: a backslash
 * stays as it is. Returns the number of columns written, which is never less than a terminal uses.
 */
size_t text__print_safe(FILE *out, const char *string, size_t max_columns);

/* The same, not cut, in memory; the caller's to free(). NULL: out of memory. */
char *text__safe_copy(const char *string);

/* The columns that text__print_safe() needs for all of it. */
size_t text__width(const char *string);

/* The same, of no more than is needed to know that it is more than limit. */
size_t text__width_to(const char *string, size_t limit);

/*
 * One character of a string that is not empty, as text__print_safe() would write it: into shown,
 * terminated, *columns wide (what is escaped is ASCII, a column each). Returns the bytes it has in
 * the string.
 */
#define TEXT_SHOWN_SIZE 16
size_t text__next(const char *string, char shown[TEXT_SHOWN_SIZE], size_t *columns);

/* A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void text__print_json(FILE *out, const char *string);

/*
 * The same safety, but nothing is lost: a backslash becomes \\, and each byte of what is unsafe, of
 * what is not UTF-8, and of the characters in special (ASCII) becomes \xNN.
 */
void text__print_escaped(FILE *out, const char *string, const char *special);

/* Inside of an XML element or a quoted attribute; what is unsafe becomes \xNN. */
void text__print_xml(FILE *out, const char *string);

/* A field of RFC 4180 with its quotes; what is unsafe is escaped as in text__print_escaped(). */
void text__print_csv(FILE *out, const char *string);

/* A finite number with ten digits, whose point is one in every locale. */
void text__print_number(FILE *out, double number);

/* What a noun ends in: "" after 1, else "s". */
const char *text__plural(uint64_t count);

/* "12,345". As snprintf. */
int text__format_count(char *text, size_t size, uint64_t count);
/* "1.2 MB", "512 kB": three significant digits, powers of 1000. As snprintf. */
int text__format_bytes(char *text, size_t size, uint64_t bytes);
/* "1.5 s", "20 ms", "12 us"; from a minute on "2 min 5 s", "3 h 20 min". As snprintf. */
int text__format_duration(char *text, size_t size, uint64_t ns);

/* 0, or the negative errno of what went wrong with a stream (-EIO if nobody knows). */
int text__stream_error(FILE *out);

#endif
