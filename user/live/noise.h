/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of one sample that were never more than noise: there may be a hundred of them in each interval,
 * others each time. They are folded into a last row, which opens.
 */
#ifndef TOPSTACKS_LIVE_NOISE_H
#define TOPSTACKS_LIVE_NOISE_H

#include "live/live.h"

/* Rows are arranged; trees and flames have none of it. 0 or -ENOMEM. */
int noise__fold(struct live *live);

/*
 * Waits of those who wait for work (profile/select/idle_waits.h) in the view of stacks: they are one row above all
 * others, which opens, and then their stacks stand among the others.
 */
/* Fills live->idle, and live->others if the row is closed, of the profile of the picture. 0 or -ENOMEM. */
int idle__part(struct live *live);

/*
 * The same of other intervals: what waits for work is taken from *made, the caller's, or if that is NULL from
 * all that is kept, and *made is what is left. 0 or -ENOMEM.
 */
int idle__leave_out(const struct live *live, const struct kept *kept, struct profile **made);

/* Puts the row above the others, which are arranged. 0 or -ENOMEM. */
int idle__add_row(struct live *live);

#endif
