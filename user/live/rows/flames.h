/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A flame graph in columns of text: a box for each node of a call tree that is at least a column
 * wide, with its children below it. flame/layout.h defines their positions.
 */
#ifndef TOPSTACKS_LIVE_ROWS_FLAMES_H
#define TOPSTACKS_LIVE_ROWS_FLAMES_H

#include "profile/tree.h"

struct live_box {
	uint64_t id;
	uint64_t total, self;
	uint32_t name;	     /* an index of the tree */
	uint32_t depth;	     /* 1: the outermost frame */
	uint32_t start, end; /* columns start to end - 1 */
	size_t parent;	     /* index of a box; SIZE_MAX: none */
};

/*
 * The boxes are ordered by rows, from left to right in each. The caller frees *boxes. Returns their
 * number.
 */
size_t flames__lay_out(const struct tree *tree, uint32_t columns, struct live_box **boxes);

#endif
