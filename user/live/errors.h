/* SPDX-License-Identifier: GPL-2.0-only */
/* The error bars of a picture's percentages, and which of its rows cannot be told apart. */
#ifndef TOPSTACKS_LIVE_ERRORS_H
#define TOPSTACKS_LIVE_ERRORS_H

#include "live/live.h"

/*
 * Computes both for a picture whose rows are arranged, with the scatter between the kept intervals.
 */
void errors__learn(struct live *live);

/* True if a table with this many columns of text has error bars. */
bool errors__are_shown(const struct live *live, size_t nr_columns);

/* Shows the error bars from now on, or hides them. */
void errors__toggle(struct live *live);

#endif
