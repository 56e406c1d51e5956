/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows of all views but flames. The first line of the pane is the heading. */
#ifndef TOPSTACKS_LIVE_PAINT_TABLE_H
#define TOPSTACKS_LIVE_PAINT_TABLE_H

#include "live/live.h"
#include "live/pane.h"
#include "views/canvas.h"

void paint__table(struct canvas *canvas, const struct pane *pane, const struct live *live);

#endif
