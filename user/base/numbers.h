/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts that never wrap around, and numbers as text: with units, for people and for programs. */
#ifndef TOPSTACKS_BASE_NUMBERS_H
#define TOPSTACKS_BASE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- sums and differences that never wrap around ---- */

static inline uint64_t sum_of(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* The growth of a count since *known, which is set to now; a count that falls has not grown. */
static inline uint64_t growth_of(uint64_t *known, uint64_t now)
{
	uint64_t more = now > *known ? now - *known : 0;

	*known += more;
	return more;
}

/* The share in percent; 0 if whole is 0. */
static inline double share_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* ---- numbers as text ---- */

/* Prints a finite number with ten digits and a decimal point, independent of the locale. */
void text__print_number(FILE *out, double number);

/* The ending of a noun: "" for 1, else "s". */
const char *text__plural(uint64_t count);
/* Number of bytes to write of a plural noun: "1 widget" lacks the "s". */
int text__noun_length(const char *plural, bool is_one);

/* Size for text__format_rounded(). */
#define ROUNDED_SIZE 32

/*
 * Formats with that many significant digits, but all digits before the point: 0.051, 1.2, 12, 1191.
 * Returns text.
 */
const char *text__format_rounded(char text[ROUNDED_SIZE], int digits, double number);

/* Formats as "12,345". Returns like snprintf(). */
int text__format_count(char *text, size_t size, uint64_t count);
/*
 * Formats 123425 with 2 decimals as "1,234.25". Writes up to three decimals, or enough for three
 * significant digits. Returns like snprintf().
 */
int text__format_decimal(char *text, size_t size, uint64_t value, int decimals);
/*
 * Formats as "1.2 MB", "512 kB": three significant digits, powers of 1000. Returns like snprintf().
 */
int text__format_bytes(char *text, size_t size, uint64_t bytes);
/*
 * Formats as "1.5 s", "20 ms", "12 us"; from a minute on as "2 min 5 s", "3 h 20 min". Returns like
 * snprintf().
 */
int text__format_duration(char *text, size_t size, uint64_t ns);

/* The value of a lower-case hexadecimal digit; -1: it is none. */
static inline int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

#endif
