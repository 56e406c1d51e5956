/* SPDX-License-Identifier: GPL-2.0-only */
/* Flames, the stack of the row with the cursor, and help. */
#ifndef TOPSTACKS_LIVE_PAINT_PANES_H
#define TOPSTACKS_LIVE_PAINT_PANES_H

#include "live/pane.h"
#include "live/ui.h"
#include "views/canvas.h"

void paint__flames(struct canvas *canvas, const struct pane *pane, const struct live *live);

/* The stack of the row with the cursor; whole: it has the screen for itself and scrolls. */
void paint__stack(struct canvas *canvas, const struct pane *pane, struct live *live, struct ui *ui,
		  bool whole);

void paint__help(struct canvas *canvas, const struct pane *pane, struct ui *ui);

#endif
