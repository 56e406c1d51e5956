// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers have the syntax of flamegraph.pl, \d+(\.\d*)?, or an exponent, which scripts write after
 * a division.
 */
#include "formats/folded_text.h"

#include <ctype.h>

#define MOST_EXPONENT 400 /* beyond it a number is 0, or too large */
#define MOST_DIGITS   UINT64_C(1000000000000000000)

/* ---- lines ---- */

struct folded_text folded_text__next_line(struct folded_text *rest)
{
	const char *newline = memchr(rest->at, '\n', (size_t)(rest->end - rest->at));
	struct folded_text line = {rest->at, newline ? newline : rest->end};

	rest->at = newline ? newline + 1 : rest->end;
	while (line.at < line.end && strchr(" \t\r", line.end[-1]) && line.end[-1])
		line.end--;
	return line;
}

bool folded_text__says_nothing(struct folded_text line)
{
	struct folded_count count;

	if (line.at == line.end)
		return true;
	if (*line.at != '#')
		return false;
	return line.end - line.at == 1 || line.at[1] == ' ' || line.at[1] == '\t' ||
	       folded_text__take_count(&line, &count) == FOLDED_NO_NUMBER;
}

struct folded_text folded_text__take_frame(struct folded_text *stack)
{
	const char *semicolon = memchr(stack->at, ';', (size_t)(stack->end - stack->at));
	struct folded_text frame = {stack->at, semicolon ? semicolon : stack->end};

	stack->at = semicolon ? semicolon + 1 : stack->end;
	return frame;
}

char folded_text__take_byte(struct folded_text *text)
{
	const char *at = text->at++;

	if (*at != '\\' || text->end - at < 2)
		return *at;
	if (at[1] == '\\') {
		text->at = at + 2;
		return '\\';
	}
	if (text->end - at < 4 || at[1] != 'x' || hex_digit(at[2]) < 0 || hex_digit(at[3]) < 0)
		return '\\';
	text->at = at + 4;
	return (char)(hex_digit(at[2]) << 4 | hex_digit(at[3]));
}

/* ---- numbers ---- */

static bool add_digit(uint64_t *digits, char digit)
{
	return !__builtin_mul_overflow(*digits, UINT64_C(10), digits) &&
	       !__builtin_add_overflow(*digits, (uint64_t)(digit - '0'), digits);
}

/* Parses an exponent such as "e-3"; without one it is 0. False: other text follows. */
static bool parse_exponent(const char *at, const char *end, int *exponent)
{
	bool is_negative;

	if (at == end)
		return true;
	if (tolower((unsigned char)*at++) != 'e' || at == end)
		return false;
	is_negative = *at == '-';
	at += *at == '-' || *at == '+';
	if (at == end)
		return false;
	for (; at < end && isdigit((unsigned char)*at); at++)
		if (*exponent < MOST_EXPONENT)
			*exponent = 10 * *exponent + (*at - '0');
	if (is_negative)
		*exponent = -*exponent;
	return at == end;
}

static enum folded_word parse_number(const char *at, const char *end, struct folded_count *count)
{
	const char *first = at;
	bool is_large = false;
	int exponent = 0;

	*count = (struct folded_count){0};
	for (; at < end && isdigit((unsigned char)*at); at++)
		is_large |= !add_digit(&count->digits, *at);
	if (at == first)
		return FOLDED_NO_NUMBER;
	if (at < end && *at == '.')
		for (at++; at < end && isdigit((unsigned char)*at); at++)
			if (count->digits < MOST_DIGITS && add_digit(&count->digits, *at))
				count->decimals++;
	if (!parse_exponent(at, end, &exponent))
		return FOLDED_NO_NUMBER;
	count->decimals -= exponent;
	if (is_large)
		return FOLDED_TOO_LARGE;

	/* Removes trailing zeros of the fraction, and appends zeros for negative decimals. */
	while (count->digits && count->decimals > 0 && count->digits % 10 == 0) {
		count->digits /= 10;
		count->decimals--;
	}
	if (!count->digits)
		count->decimals = 0;
	for (; count->decimals < 0; count->decimals++)
		if (!add_digit(&count->digits, '0'))
			return FOLDED_TOO_LARGE;
	return FOLDED_COUNT;
}

enum folded_word folded_text__take_count(struct folded_text *line, struct folded_count *count)
{
	const char *blank = line->end, *at;
	enum folded_word word;
	bool is_negative;

	while (blank > line->at && blank[-1] != ' ' && blank[-1] != '\t')
		blank--;
	at = blank > line->at ? blank : line->end; /* the last word; none without a blank */
	is_negative = at < line->end && *at == '-';
	word = parse_number(at + is_negative, line->end, count);
	if (is_negative && word != FOLDED_NO_NUMBER)
		return FOLDED_NEGATIVE;
	if (word == FOLDED_COUNT)
		line->end = blank - 1;
	return word;
}

bool folded_count__scale(const struct folded_count *count, int decimals, uint64_t *scaled)
{
	int digit = 0;

	*scaled = count->digits;
	for (int i = count->decimals; i < decimals; i++)
		if (!add_digit(scaled, '0'))
			return false;
	for (int i = count->decimals; i > decimals; i--) {
		digit = (int)(*scaled % 10);
		*scaled /= 10;
	}
	*scaled += digit >= 5;
	return true;
}
