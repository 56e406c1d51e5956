/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What keys do to the picture. Everything here returns 0 or -ENOMEM (or what else it says), and
 * leaves a whole picture.
 */
#ifndef TOPSTACKS_LIVE_ACTIONS_H
#define TOPSTACKS_LIVE_ACTIONS_H

#include "live/live.h"

/* ---- what is shown ---- */

int live__set_view(struct live *live, enum view view);
int live__set_mode(struct live *live, enum mode mode);
int live__set_merge(struct live *live, enum merge merge);
int live__reverse(struct live *live);	   /* trees and flames */
int live__toggle_total(struct live *live); /* functions and modules */
int live__hide(struct live *live, bool kernel, bool user);

/* -EINVAL with err filled: no regular expression; then nothing has changed. */
int live__set_pattern(struct live *live, const char *pattern, struct error *err);

/* Only what passes through the row with the cursor, in all views. */
int live__zoom(struct live *live);
int live__unzoom(struct live *live);

/* The row with the cursor; all rows that are listed. */
int live__fold(struct live *live, bool folded);
int live__fold_all(struct live *live, bool folded);

/* ---- time ---- */

int live__freeze(struct live *live, bool frozen);
/* -1: the interval before the one shown. The picture stays there. */
int live__step(struct live *live, int by);
/* Nothing will follow: a last interval that was cut short does not take the picture away. */
int live__end(struct live *live);
/* Compares with what is shown now from here on; or no longer. */
int live__compare(struct live *live, bool on);
int live__reset(struct live *live);

#endif
