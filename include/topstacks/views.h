/* SPDX-License-Identifier: GPL-2.0-only */
/* What a person reads. A view draws into a stream (the caller's, often open_memstream). */
#ifndef TOPSTACKS_VIEWS_H
#define TOPSTACKS_VIEWS_H

#include <stdbool.h>
#include <stdio.h>

#include "topstacks/interval.h"

struct view_options {
	enum merge merge;
	size_t nr_rows;
	bool color;
	bool pids; /* show pids beside comms (merge is by process or thread) */
};

/*
 * The block for pipes and files: header, then the rows with their full stacks, one frame a line,
 * then the top functions. Returns 0 or a negative errno.
 */
int view__write_block(FILE *out, const struct interval *interval,
		      const struct view_options *options);

/*
 * One screen of lines x columns: header, one line a stack cut to the width, full frames of the
 * first ones as room allows, top functions. Never more than lines - 1 lines, never wider than
 * columns; the text has no control characters but newlines and, with color, SGR sequences.
 */
int view__write_screen(FILE *out, const struct interval *interval,
		       const struct view_options *options, unsigned int lines,
		       unsigned int columns);

#endif
