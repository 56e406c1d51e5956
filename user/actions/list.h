/* SPDX-License-Identifier: GPL-2.0-only */
/* What can be sampled here, for people: a line each with what it means, in groups. */
#ifndef TOPSTACKS_ACTIONS_LIST_H
#define TOPSTACKS_ACTIONS_LIST_H

#include <stdio.h>

#include "base/error.h"

/*
 * Those that match a shell pattern, or have it in their name; NULL: all. EXIT_DONE, or negative errno with
 * a sentence: nothing matches (EXIT_USAGE), with what is like it.
 */
int list__print(FILE *out, const char *pattern, struct error *err);

#endif
