/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Colours of frames, computed from names alone: the same name has the same colour in every file.
 * page/draw.js computes the same colours for the page; keep both in step.
 */
#ifndef TOPSTACKS_FLAME_COLORS_H
#define TOPSTACKS_FLAME_COLORS_H

#include "base/common.h"
#include "profile/tree.h"
#include "profile/wait.h"

/* 0xRRGGBB, light enough for black text. */
uint32_t color__of_name(const struct tree_name *name);

/* How a state is shown. All blocked states look alike. */
struct state_style {
	enum wait_state state;	  /* the same for all that look alike */
	const char *label;	  /* "blocked"; "": unknown, without a colour */
	unsigned int hue, chroma; /* in degrees and thousandths; also used by the page */
};

const struct state_style *state__style(enum wait_state state);

/* The bits of all states that look like this one. */
uint32_t state__looks_like(enum wait_state state);

/* The colour of a frame that is mostly in this state. name: NULL: the colour for a legend. */
uint32_t color__of_state(const struct state_style *style, const struct tree_name *name);

/* The colour of a module (NULL: none) for a legend, without the tint. */
uint32_t color__of_module(const char *module);

#endif
