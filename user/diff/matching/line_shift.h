/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds out by how many lines a function moved down from base to new, where only samples at its
 * lines are known: lines inserted above the function move all of its lines alike.
 */
#ifndef TOPSTACKS_DIFF_MATCHING_LINE_SHIFT_H
#define TOPSTACKS_DIFF_MATCHING_LINE_SHIFT_H

#include "base/common.h"

#define MOST_COUNTED_LINES 64

/* Samples at the lines of one function on one side; a zeroed one is empty. */
struct line_counts {
	uint32_t lines[MOST_COUNTED_LINES];
	double samples[MOST_COUNTED_LINES];
	size_t nr;
	double all;
};

/*
 * Adds samples at a line; if there are too many lines, the one with the fewest samples is dropped.
 */
void line_counts__add(struct line_counts *counts, uint32_t line, double samples);

/* Returns the number to add to a line of base; 0 if no other number fits clearly better. */
int64_t line_counts__shift(const struct line_counts *base, const struct line_counts *fresh);

#endif
