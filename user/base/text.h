/* SPDX-License-Identifier: GPL-2.0-only */
/* Making text safe and readable: escaping, display width, units. */
#ifndef TOPSTACKS_BASE_TEXT_H
#define TOPSTACKS_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Writes a hostile string so that it is safe on a terminal: control characters, C1 controls, bidi
 * overrides, and bytes that are not UTF-8 become \xNN (or \u{NNNN}); at most max_columns wide, the
 * rest is cut and ends in "…" (0: unbounded). Returns the number of columns written.
 */
size_t text__print_safe(FILE *out, const char *string, size_t max_columns);

/* A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void text__print_json(FILE *out, const char *string);

/* "1.2 MB", "512 kB": three significant digits, powers of 1000. As snprintf. */
int text__format_bytes(char *text, size_t size, uint64_t bytes);
/* "1.5 s", "20 ms", "12 us" */
int text__format_duration(char *text, size_t size, uint64_t ns);

#endif
