/* SPDX-License-Identifier: GPL-2.0-only */
/* Foreign text for eyes: made safe for a terminal, and as wide as there is room. */
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

/* 0, or the negative errno of what went wrong with a stream (-EIO if nobody knows). */
int text__stream_error(FILE *out);

/* ---- characters of UTF-8: where they end, and how wide a terminal shows them ---- */

#define NOT_UTF8 UINT32_MAX

/*
 * A NUL within a terminated string: Java's modified UTF-8 has it so, and no UTF-8 does. Names of some programs
 * have one ("class@anonymous\0/srv/a.php"), and differ behind it alone.
 */
#define TEXT_NUL "\xc0\x80"

/*
 * Takes one character off a terminated string that is not empty. Returns its length in bytes; *code
 * is 0 for a TEXT_NUL, and NOT_UTF8 for a byte that begins none (other overlong forms and surrogates do not).
 */
size_t character__decode(const char *string, uint32_t *code);

/*
 * A terminated string of bytes that may have a NUL, each of which becomes a TEXT_NUL; the caller's to free().
 * NULL: out of memory.
 */
char *text__of_bytes(const char *bytes, size_t nr_bytes);

/* The other way, in place: the length of the bytes, which are as many as the string's or fewer. */
size_t text__to_bytes(char *string);

/* 0: never to be shown as it is. */
unsigned int character__columns(uint32_t code);

#endif
