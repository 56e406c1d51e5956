/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The picture: which samples, which rows, in which order, and what they were before. All of it is
 * made anew when an interval comes or the selection changes.
 *
 * Everything here returns 0 or -ENOMEM (or what else it says), and leaves a whole picture. What
 * pictures point to is dead after the next of these calls.
 */
#ifndef TOPSTACKS_LIVE_PICTURE_H
#define TOPSTACKS_LIVE_PICTURE_H

#include "live/live.h"

/* max_bytes: of the intervals that are kept. */
int live__init(struct live *live, size_t max_bytes);
void live__fini(struct live *live);

int live__add(struct live *live, const struct recording *interval);

/* A bit of what can wait: one more past interval made comparable, bounds kept. 0: all is done. */
int live__work(struct live *live);

/* Room for rows, and columns for flames. */
int live__resize(struct live *live, size_t nr_lines, uint32_t columns);

/* Makes the picture anew. */
int live__refresh(struct live *live);

/* The same under another selection: rows are others, so nothing remembered of them holds. */
int live__select_anew(struct live *live);

#endif
