/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of folded text, as flamegraph.pl and others write and read them: a stack, a blank, a count. */
#ifndef TOPSTACKS_FORMATS_FOLDED_TEXT_H
#define TOPSTACKS_FORMATS_FOLDED_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/metric.h"

struct folded_text {
	const char *at, *end;
};

/* A number as it is written: digits / 10^decimals, without zeros that say nothing. */
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

/* Takes the next line off, without what ends it and without blanks at its end. */
struct folded_text folded_text__next_line(struct folded_text *rest);

/* "169", "0.25", "2.5e-3" after the last blank: takes both off if it is a count. */
enum folded_word folded_text__take_count(struct folded_text *line, struct folded_count *count);

/*
 * An empty line, or a comment: a "#" before a blank, or in a line without a count. Others may be the
 * name of a function.
 */
bool folded_text__says_nothing(struct folded_text line);

/* The first frame of a stack; takes it off with the semicolon after it. */
struct folded_text folded_text__take_frame(struct folded_text *stack);

/* One byte of a name, unescaped: \\ and \xNN of folded.c, whose backslash else stands for itself. */
char folded_text__take_byte(struct folded_text *text);

/* The same number in units of 1 / 10^decimals, rounded. False: it is 2^64 or more. */
bool folded_count__scale(const struct folded_count *count, int decimals, uint64_t *scaled);

/* The facts of a text that have to be known before its lines are read. */
struct folded_facts {
	int decimals;	      /* of its counts, up to METRIC_MOST_DECIMALS */
	bool has_two_columns; /* each line has a count before the last one: difffolded.pl wrote it */
	bool has_commands;    /* its first frames are names of programs, of up to 15 bytes */
};

/* Takes time linear in the text. */
struct folded_facts folded_text__learn(struct folded_text text);

#endif
