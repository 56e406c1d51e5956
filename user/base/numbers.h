/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as text: with units, for people and for programs. */
#ifndef TOPSTACKS_BASE_NUMBERS_H
#define TOPSTACKS_BASE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A finite number with ten digits, whose point is one in every locale. */
void text__print_number(FILE *out, double number);

/* What a noun ends in: "" after 1, else "s". */
const char *text__plural(uint64_t count);
/* How many bytes of a noun in the plural are to be written: "1 widget" lacks an "s". */
int text__noun_length(const char *plural, bool is_one);

/* Room for what text__format_rounded() writes. */
#define ROUNDED_SIZE 32

/* That many significant digits, but all digits before the point: 0.051, 1.2, 12, 1191. Returns text. */
const char *text__format_rounded(char text[ROUNDED_SIZE], int digits, double number);

/* "12,345". As snprintf. */
int text__format_count(char *text, size_t size, uint64_t count);
/* "1,234.25" of 123425 with 2 decimals: up to three are written, or as many as tell three digits. As snprintf. */
int text__format_decimal(char *text, size_t size, uint64_t value, int decimals);
/* "1.2 MB", "512 kB": three significant digits, powers of 1000. As snprintf. */
int text__format_bytes(char *text, size_t size, uint64_t bytes);
/* "1.5 s", "20 ms", "12 us"; from a minute on "2 min 5 s", "3 h 20 min". As snprintf. */
int text__format_duration(char *text, size_t size, uint64_t ns);

/* 0 to 15; -1: not a digit as the kernel writes them. */
static inline int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

#endif
