/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the live view's model have from each other. */
#ifndef TOPSTACKS_LIVE_REFRESH_H
#define TOPSTACKS_LIVE_REFRESH_H

#include "live/live.h"

/* Makes the picture anew. 0 or -ENOMEM. */
int live__refresh(struct live *live);

/* The same under another selection: rows are others, so nothing remembered of them holds. */
int live__select_anew(struct live *live);

/* Where the row that is followed is now, and what of the rows is on the screen. */
void live__find_cursor(struct live *live);

#endif
