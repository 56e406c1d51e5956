/* SPDX-License-Identifier: GPL-2.0-only */
/* Who calls a function, by samples: what may have been inlined into whom. */
#ifndef TOPSTACKS_DIFF_MATCH_CALLERS_H
#define TOPSTACKS_DIFF_MATCH_CALLERS_H

#include <stddef.h>

#include "diff/match.h"

/*
 * The self unit of the function that most samples of this function's stacks were called by on this
 * side, and which part of them; SIZE_MAX: there is none. Functions only. Looks at all samples.
 */
size_t match__caller(const struct match *match, size_t unit, enum side side, double *part);

#endif
