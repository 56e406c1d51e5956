/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Estimates the width of text in a picture whose fonts are unknown: as in Helvetica, whose common
 * substitutes have the same widths. Other characters than ASCII are taken to be as wide as high.
 */
#ifndef TOPSTACKS_FLAME_SVG_TEXT_H
#define TOPSTACKS_FLAME_SVG_TEXT_H

#include "base/common.h"

#define FONT_SIZE 11 /* pixels */

/* The width in pixels of safe UTF-8. */
double svg_text__width(const char *text);

/*
 * Returns how many bytes fit into so many pixels: all of them, or as many as fit together with "…",
 * or 0.
 */
size_t svg_text__fit(const char *text, double room);

#endif
