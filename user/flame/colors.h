/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Colours of frames, computed from names alone: the same name has the same colour in every file.
 * page/draw.js does the same sums for the page; change both or neither.
 */
#ifndef TOPSTACKS_FLAME_COLORS_H
#define TOPSTACKS_FLAME_COLORS_H

#include <stdint.h>

#include "profile/tree.h"
#include "profile/wait.h"

/* 0xRRGGBB, light enough for black text. */
uint32_t color__of_name(const struct tree_name *name);

/* How a state is shown, by people's words: those that are blocked, in whichever way, look alike. */
struct state_style {
	enum wait_state state;	  /* one for all that look alike */
	const char *label;	  /* "blocked"; "": nothing is told of it, and it has no colour */
	unsigned int hue, chroma; /* degrees, thousandths: also for the page */
};

const struct state_style *state__style(enum wait_state state);

/* All states that look like this one, as bits. */
uint32_t state__looks_like(enum wait_state state);

/* A frame that mostly does this; name: NULL: what a legend shows. */
uint32_t color__of_state(const struct state_style *style, const struct tree_name *name);

/* What a legend shows: the colour of a whole module (NULL: none), without the tint. */
uint32_t color__of_module(const char *module);

#endif
