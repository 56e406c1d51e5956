/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Colours of frames, computed from names alone: the same name has the same colour in every file.
 * page/draw.js does the same sums for the page; change both or neither.
 */
#ifndef TOPSTACKS_FLAME_COLORS_H
#define TOPSTACKS_FLAME_COLORS_H

#include <stdint.h>

#include "profile/tree.h"

/* 0xRRGGBB, light enough for black text. */
uint32_t color__of_name(const struct tree_name *name);

/* What a legend shows: the colour of a whole module (NULL: none), without the tint. */
uint32_t color__of_module(const char *module);

#endif
