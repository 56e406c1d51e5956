/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of one sample that were never more than noise. An interval can have a hundred of them,
 * always others. They are folded into one last row, which can be opened.
 */
#ifndef TOPSTACKS_LIVE_NOISE_H
#define TOPSTACKS_LIVE_NOISE_H

#include "live/live.h"

/* Folds them, after the rows are arranged. Trees and flames have no noise row. */
void noise__fold(struct live *live);

/*
 * Waits for work (profile/select/idle_waits.h) in the stacks view. They are one row above all
 * others. When it is opened, their stacks are listed among the others.
 */
/* Fills live->idle and, if the row is closed, live->others from the picture's profile. */
void idle__part(struct live *live);

/*
 * The same for other intervals: removes waits for work from *made, which the caller owns, or from
 * the whole profile of kept if *made is NULL. *made is then the rest.
 */
void idle__leave_out(const struct live *live, const struct kept *kept, struct profile **made);

/* Puts the idle row above the other rows, after these are arranged. */
void idle__add_row(struct live *live);

#endif
