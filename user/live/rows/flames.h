/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A flame graph in columns of text: a box for each node of a call tree that is at least a column
 * wide, its children below it. Where they are, flame/layout.h says.
 */
#ifndef TOPSTACKS_LIVE_ROWS_FLAMES_H
#define TOPSTACKS_LIVE_ROWS_FLAMES_H

#include "profile/tree.h"

struct live_box {
	uint64_t id;
	uint64_t total, self;
	uint32_t name;	     /* of the tree */
	uint32_t depth;	     /* 1: the outermost */
	uint32_t start, end; /* columns: start to end - 1 */
	size_t parent;	     /* index of a box; SIZE_MAX: none */
};

/* Row after row, in each from left to right. *boxes is to free(). Number, or -ENOMEM. */
long flames__lay_out(const struct tree *tree, uint32_t columns, struct live_box **boxes);

#endif
