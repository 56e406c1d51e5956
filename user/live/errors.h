/* SPDX-License-Identifier: GPL-2.0-only */
/* How sure the percentages of the picture are, and which of its rows cannot be told apart. */
#ifndef TOPSTACKS_LIVE_ERRORS_H
#define TOPSTACKS_LIVE_ERRORS_H

#include "live/live.h"

/* Of a picture whose rows are arranged; the scatter is that of the intervals that are kept. 0 or -ENOMEM. */
int errors__learn(struct live *live);

/* A table of so many columns has error bars. */
bool errors__are_shown(const struct live *live, size_t nr_columns);

/* They are shown from now on, or no longer. */
void errors__toggle(struct live *live);

#endif
