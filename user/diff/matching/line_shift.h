/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * By how many lines a function is further down in new than in base, when nothing but samples at its lines tells: what
 * was inserted above it moves all of them alike.
 */
#ifndef TOPSTACKS_DIFF_MATCHING_LINE_SHIFT_H
#define TOPSTACKS_DIFF_MATCHING_LINE_SHIFT_H

#include <stddef.h>
#include <stdint.h>

#define MOST_COUNTED_LINES 64

/* Samples at the lines of one function on one side; a zeroed one is empty. */
struct line_counts {
	uint32_t lines[MOST_COUNTED_LINES];
	double samples[MOST_COUNTED_LINES];
	size_t nr;
	double all;
};

/* Leaves out lines with few samples where there are too many. */
void line_counts__add(struct line_counts *counts, uint32_t line, double samples);

/* The number to be added to a line of base; 0 where no other number fits clearly better. */
int64_t line_counts__shift(const struct line_counts *base, const struct line_counts *fresh);

#endif
