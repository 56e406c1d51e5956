/* SPDX-License-Identifier: GPL-2.0-only */
/* The compiled form of an expression: pattern_parse.c builds it, pattern.c runs it. */
#ifndef TOPSTACKS_BASE_PATTERN_CODE_H
#define TOPSTACKS_BASE_PATTERN_CODE_H

#include "base/common.h"

enum pattern_op {
	PATTERN_CHARACTER, /* matches a character of a class, then goes to the next step */
	PATTERN_SPLIT,	   /* goes to both jumps */
	PATTERN_JUMP,	   /* goes to the first jump */
	PATTERN_ASSERT,	   /* goes to the next step if the assertion holds here */
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
	int32_t jumps[2]; /* relative to this step */
	/* The class: characters in these ranges of the code, or all others. */
	uint32_t first_range, nr_ranges;
	bool is_negated;
	bool folds; /* the class has the first of all characters that differ in case alone */
};

struct pattern_range {
	uint32_t first, last; /* characters */
};

/* A text that reaches the end of the steps has matched. */
struct pattern_code {
	struct pattern_step *steps;
	size_t nr_steps, step_capacity;
	struct pattern_range *ranges;
	size_t nr_ranges, range_capacity;
};

/* Compiles an expression; the caller frees code in any case. 0, or an error of pattern__new(). */
int pattern_code__parse(struct pattern_code *code, const char *expression);
void pattern_code__free(struct pattern_code *code);

#endif
