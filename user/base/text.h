/* SPDX-License-Identifier: GPL-2.0-only */
/* Untrusted text for people: made safe for a terminal, and fitted to a width. */
#ifndef TOPSTACKS_BASE_TEXT_H
#define TOPSTACKS_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Writes an untrusted string so that it is safe on a terminal: control characters, C1 controls,
 * bidi overrides, invisible characters, and bytes that are not UTF-8 become \xNN (or \u{NNNN}).
 * Cuts it to max_columns, ending in "…" (0: no limit). For people only: a backslash is not escaped.
 * Returns the number of columns, an upper bound for any terminal.
 */
size_t text__print_safe(FILE *out, const char *string, size_t max_columns);

/* Returns the same, not cut, in memory; free() it. */
char *text__safe_copy(const char *string);

/* The columns that text__print_safe() needs for all of it. */
size_t text__width(const char *string);

/* The same, but stops counting once the width exceeds limit. */
size_t text__width_to(const char *string, size_t limit);

/*
 * Takes one character of a non-empty string as text__print_safe() would write it: into shown,
 * terminated, *columns wide (escapes are ASCII, one column each). Returns its length in the string
 * in bytes.
 */
#define TEXT_SHOWN_SIZE 16
size_t text__next(const char *string, char shown[TEXT_SHOWN_SIZE], size_t *columns);

/* 0, or the negative errno of a stream's failure (-EIO if not known). */
int text__stream_error(FILE *out);

/* ---- characters of UTF-8: where they end, and how wide a terminal shows them ---- */

#define NOT_UTF8 UINT32_MAX

/*
 * Encodes a NUL within a terminated string, as Java's modified UTF-8 does; it is not valid UTF-8.
 * Names of some programs have a NUL ("class@anonymous\0/srv/a.php"), and differ only behind it.
 */
#define TEXT_NUL "\xc0\x80"

/*
 * Decodes the first character of a non-empty terminated string. Returns its length in bytes; *code
 * is 0 for a TEXT_NUL, and NOT_UTF8 for an invalid byte (including other overlong forms and
 * surrogates).
 */
size_t character__decode(const char *string, uint32_t *code);

/*
 * Copies bytes to a terminated string, with a TEXT_NUL for each NUL; free() it. NULL: out of
 * memory.
 */
char *text__of_bytes(const char *bytes, size_t nr_bytes);

/*
 * Reverts text__of_bytes() in place; returns the length of the bytes, at most that of the string.
 */
size_t text__to_bytes(char *string);

/* Columns of a character; 0: it must be escaped. */
unsigned int character__columns(uint32_t code);

#endif
