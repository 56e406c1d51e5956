/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Regular expressions from files, in the syntax of RE2 (github.com/google/re2/wiki/Syntax), which
 * Go's profiles use. Neither expression nor text is trusted: all alternatives are followed at once,
 * so matching takes linear time in the text, and the size of the compiled expression is limited.
 */
#ifndef TOPSTACKS_BASE_PATTERN_H
#define TOPSTACKS_BASE_PATTERN_H

#include "base/common.h"

struct pattern;

/*
 * Compiles an expression. NULL, with *code set: -EINVAL: not valid; -EOPNOTSUPP: it has classes of
 * Unicode (\p); -E2BIG: too large.
 */
struct pattern *pattern__new(const char *expression, int *code);
void pattern__free(struct pattern *pattern); /* NULL is fine */

/*
 * Returns true if ^(expression)$ matches the text, as in Go. Characters are UTF-8; a byte that is
 * not UTF-8 counts as one character. *steps is reduced by the work done; at 0 the result is false.
 */
bool pattern__matches(struct pattern *pattern, const char *text, uint64_t *steps);

#endif
