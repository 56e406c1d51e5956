/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A stack on one line, as far as there is room: "tcp_sendmsg [k] ← … ← write ← connSocketWrite …".
 * Rows that have much in common would look the same, so the frame in which a stack differs from the
 * others is always kept.
 */
#ifndef TOPSTACKS_LIVE_STACK_LINE_H
#define TOPSTACKS_LIVE_STACK_LINE_H

#include "base/common.h"

struct dictionary;
struct pen;

struct stack_line {
	const struct dictionary *dictionary;
	const uint32_t *frames; /* leaf first */
	size_t nr_frames;
	size_t most_name; /* number of columns for a name at most, to leave room for its callers */
	size_t differs;	  /* the frame that other lines do not have there; 0: the leaf, or none */
};

/* Number of frames, from the leaf, that have the same names as those of another stack. */
size_t stack_line__nr_common(const struct stack_line *line, const uint32_t *frames,
			     size_t nr_frames);

/* The stack must have a frame. */
void stack_line__paint(const struct stack_line *line, struct pen *pen);

#endif
