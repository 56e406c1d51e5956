/* SPDX-License-Identifier: GPL-2.0-only */
/* The cursor: on a row, or on a box of the flames, which it follows wherever they go. */
#ifndef TOPSTACKS_LIVE_CURSOR_H
#define TOPSTACKS_LIVE_CURSOR_H

#include "live/live.h"

/* Where the row that is followed is now, and what of the rows is on the screen. */
void live__find_cursor(struct live *live);

void live__move(struct live *live, long by);
void live__move_to(struct live *live, size_t index);
/* In flames: 1 to the parent, -1 to the widest child; and to the left (-1) or right. */
void live__move_up(struct live *live, int by);
void live__move_aside(struct live *live, int by);

/* The place of the row with the cursor; id ROW_ID_NONE: there are no rows. */
struct row_place live__place(const struct live *live);

#endif
