/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Regular expressions that a file brings along, in the syntax of RE2 (github.com/google/re2/wiki/Syntax), as Go's
 * profiles have them. Neither an expression nor a text is trusted: all alternatives are followed at once, so that
 * matching takes time that is linear in the text, and what is built of an expression is bounded.
 */
#ifndef TOPSTACKS_BASE_PATTERN_H
#define TOPSTACKS_BASE_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

struct pattern;

/*
 * Takes an expression apart. NULL, with *code set: -EINVAL, it is none; -EOPNOTSUPP, it has classes of Unicode
 * (\p); -E2BIG, it is too large; -ENOMEM.
 */
struct pattern *pattern__new(const char *expression, int *code);
void pattern__free(struct pattern *pattern); /* NULL is fine */

/*
 * Whether ^(expression)$ matches the text, as in Go: characters are those of UTF-8, and a byte that
 * is none is one character. *steps is lowered by what that took; where it comes to 0 the answer is false.
 */
bool pattern__matches(struct pattern *pattern, const char *text, uint64_t *steps);

#endif
