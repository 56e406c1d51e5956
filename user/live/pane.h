/* SPDX-License-Identifier: GPL-2.0-only */
/* A part of the screen: the lines of the canvas from first to end - 1, and columns likewise. */
#ifndef TOPSTACKS_LIVE_PANE_H
#define TOPSTACKS_LIVE_PANE_H

#include <stddef.h>

struct pane {
	size_t first, end;
	size_t start, stop;
};

#endif
