/* SPDX-License-Identifier: GPL-2.0-only */
/* The lines above the table, and the last one. */
#ifndef TOPSTACKS_LIVE_PAINT_HEADER_H
#define TOPSTACKS_LIVE_PAINT_HEADER_H

#include "live/ui.h"
#include "views/canvas.h"

/* How many lines the header has on a screen of nr_lines. */
size_t paint__header_lines(const struct live *live, size_t nr_lines);
void paint__header(struct canvas *canvas, const struct live *live, const struct ui *ui,
		   size_t nr_lines);

/* The names of all views, and what is let through. */
void paint__views(struct canvas *canvas, size_t line, const struct live *live);

void paint__footer(struct canvas *canvas, size_t line, const struct live *live,
		   const struct ui *ui);

#endif
