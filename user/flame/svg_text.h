/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How wide text is in a picture whose fonts nobody knows: as in Helvetica, which those that replace
 * it are made to match. What is not ASCII is taken to be as wide as high.
 */
#ifndef TOPSTACKS_FLAME_SVG_TEXT_H
#define TOPSTACKS_FLAME_SVG_TEXT_H

#include <stddef.h>

#define FONT_SIZE 11 /* pixels */

/* In pixels, of safe UTF-8. */
double svg_text__width(const char *text);

/* How many bytes fit into so many pixels: all of them, or so many that "…" fits too, or none. */
size_t svg_text__fit(const char *text, double room);

#endif
