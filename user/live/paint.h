/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the picture to the canvas: header, views, table or flames, the stack of the row with the
 * cursor, and the last line. These functions decide the layout only.
 *
 *	topstacks  redis-server (pid 4711)             interval 12, 12:34:56
 *	cpu-clock  98.9 Hz (asked 99), 2 CPUs, every 5 s, running 12 min 3 s
 *	493 samples, 0 lost, 97.4 % whole, 99.8 % coverage; cost 0.2 %, 12 MB
 *	 1 Stacks  2 Functions  3 Tree  4 Processes  5 Modules  6 Flames
 *	     %  SAMPLES  CHANGE  PAST  …
 *	rows                                     │ stack (beside, or below)
 *	Enter stack  / filter  Space freeze …
 */
#ifndef TOPSTACKS_LIVE_PAINT_H
#define TOPSTACKS_LIVE_PAINT_H

#include "live/ui.h"
#include "views/pen.h"

/* A part of the screen: lines first to end - 1 and columns start to stop - 1 of the canvas. */
struct pane {
	size_t first, end;
	size_t start, stop;
};

/* Also sets the sizes of the visible parts in live and ui. 0, or the error of live__resize(). */
int paint__screen(struct canvas *canvas, struct live *live, struct ui *ui);

/* ---- the lines above the table, and the last one (paint_header.c) ---- */

/* Number of header lines on a screen of nr_lines. */
size_t paint__header_lines(const struct live *live, size_t nr_lines);
void paint__header(struct canvas *canvas, const struct live *live, const struct ui *ui,
		   size_t nr_lines);

/* The names of all views, and the current filters. */
void paint__views(struct canvas *canvas, size_t line, const struct live *live);

void paint__footer(struct canvas *canvas, size_t line, const struct live *live,
		   const struct ui *ui);

/* ---- panes (paint_table.c, paint_panes.c) ---- */

/* The rows of all views except flames. The first line of the pane is the heading. */
void paint__table(struct canvas *canvas, const struct pane *pane, const struct live *live);

void paint__flames(struct canvas *canvas, const struct pane *pane, const struct live *live);

/* The stack of the row with the cursor. whole: it fills the screen and scrolls. */
void paint__stack(struct canvas *canvas, const struct pane *pane, struct live *live, struct ui *ui,
		  bool whole);

void paint__help(struct canvas *canvas, const struct pane *pane, struct ui *ui);

#endif
