/* SPDX-License-Identifier: GPL-2.0-only */
/* What fits into a box of a picture. Text is safe UTF-8, see text__print_safe(). */
#ifndef TOPSTACKS_FLAME_SVG_TEXT_H
#define TOPSTACKS_FLAME_SVG_TEXT_H

#include <stddef.h>

#define SVG_FONT_SIZE 11

/* In pixels. */
double svg_text__width(const char *text);

/* How many bytes fit: all of them, or so many that "…" fits too, or none. */
size_t svg_text__fit(const char *text, double room);

#endif
