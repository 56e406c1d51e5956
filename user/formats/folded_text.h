/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of folded text, as flamegraph.pl and others write and read them: a stack, a blank, a count.
 */
#ifndef TOPSTACKS_FORMATS_FOLDED_TEXT_H
#define TOPSTACKS_FORMATS_FOLDED_TEXT_H

#include "base/common.h"
#include "profile/metric.h"

struct folded_text {
	const char *at, *end;
};

/* A number: digits / 10^decimals, without trailing zeros of the fraction. */
struct folded_count {
	uint64_t digits;
	int decimals;
};

/* The kinds of a line's last word. */
enum folded_word {
	FOLDED_NO_NUMBER,
	FOLDED_NEGATIVE,
	FOLDED_TOO_LARGE, /* 2^64 or more */
	FOLDED_COUNT,
};

/* Takes the next line off the text, without its line end and without blanks at its end. */
struct folded_text folded_text__next_line(struct folded_text *rest);

/*
 * Reads the word after the last blank: "169", "0.25", "2.5e-3". If it is a count, takes it and the
 * blank off the line.
 */
enum folded_word folded_text__take_count(struct folded_text *line, struct folded_count *count);

/*
 * True for an empty line, and for a comment: a "#" before a blank, or in a line without a count.
 * Any other "#" may begin the name of a function.
 */
bool folded_text__says_nothing(struct folded_text line);

/* Takes the first frame of a stack off, with the semicolon after it. */
struct folded_text folded_text__take_frame(struct folded_text *stack);

/*
 * Takes one byte of a name off and unescapes it: \\ and \xNN as folded.c writes them. Any other
 * backslash is literal.
 */
char folded_text__take_byte(struct folded_text *text);

/* Converts a count to units of 1 / 10^decimals, rounded. False: the result is 2^64 or more. */
bool folded_count__scale(const struct folded_count *count, int decimals, uint64_t *scaled);

#endif
