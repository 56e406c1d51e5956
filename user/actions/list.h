/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists for people what can be sampled here: a line for each event with its meaning, in groups. */
#ifndef TOPSTACKS_ACTIONS_LIST_H
#define TOPSTACKS_ACTIONS_LIST_H

#include "base/common.h"

/*
 * Prints the events whose name matches a shell pattern or contains it; NULL: all. EXIT_DONE, or
 * negative errno with err filled: no event matches (EXIT_USAGE), with similar names.
 */
int list__print(FILE *out, const char *pattern, struct error *err);

#endif
