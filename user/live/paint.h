/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the picture to the canvas: header, views, table or flames, the stack of the row with the
 * cursor, and the last line. Nothing is decided here but what goes where.
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
#include "views/canvas.h"

/* Also tells live and ui how much room there is. 0 or -ENOMEM. */
int paint__screen(struct canvas *canvas, struct live *live, struct ui *ui);

#endif
