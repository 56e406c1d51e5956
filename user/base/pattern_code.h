/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps that an expression is compiled to: pattern_parse.c makes them, pattern.c runs them. */
#ifndef TOPSTACKS_BASE_PATTERN_CODE_H
#define TOPSTACKS_BASE_PATTERN_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pattern_op {
	PATTERN_CHARACTER, /* one of a class; goes on behind it */
	PATTERN_SPLIT,	   /* goes on at both jumps */
	PATTERN_JUMP,	   /* goes on at the first */
	PATTERN_ASSERT,	   /* goes on if that holds between two characters */
};

enum pattern_assertion {
	ASSERT_TEXT_BEGIN,
	ASSERT_TEXT_END,
	ASSERT_LINE_BEGIN,
	ASSERT_LINE_END,
	ASSERT_WORD_EDGE,
	ASSERT_NO_WORD_EDGE,
};

struct pattern_step {
	enum pattern_op op;
	enum pattern_assertion assertion;
	int32_t jumps[2]; /* from this step on */
	/* The class, in the ranges of the code, or what is not in it. */
	uint32_t first_range, nr_ranges;
	bool is_negated;
	bool folds; /* the class has the first of all characters that differ in case alone */
};

struct pattern_range {
	uint32_t first, last; /* characters */
};

/* The expression has matched where the steps end. */
struct pattern_code {
	struct pattern_step *steps;
	size_t nr_steps, step_capacity;
	struct pattern_range *ranges;
	size_t nr_ranges, range_capacity;
};

/* Fills code, which the caller frees in any case. 0, or a code of pattern__new(). */
int pattern_code__parse(struct pattern_code *code, const char *expression);
void pattern_code__free(struct pattern_code *code);

#endif
