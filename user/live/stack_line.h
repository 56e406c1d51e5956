/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A stack on one line, as far as there is room: "tcp_sendmsg [k] ← … ← write ← connSocketWrite …". Rows that have much
 * in common would look the same, so that the frame in which a stack differs from others is among those that stay.
 */
#ifndef TOPSTACKS_LIVE_STACK_LINE_H
#define TOPSTACKS_LIVE_STACK_LINE_H

#include <stddef.h>
#include <stdint.h>

struct dictionary;
struct pen;

struct stack_line {
	const struct dictionary *dictionary;
	const uint32_t *frames; /* leaf first */
	size_t nr_frames;
	size_t most_name; /* columns of a name, so that one leaves something for its callers */
	size_t differs;	  /* the frame that other lines do not have there; 0: the leaf, or none */
};

/* How many frames have the names of another stack's, from the leaf on. */
size_t stack_line__nr_common(const struct stack_line *line, const uint32_t *frames,
			     size_t nr_frames);

/* There is a frame. */
void stack_line__paint(const struct stack_line *line, struct pen *pen);

#endif
