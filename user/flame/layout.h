/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The choice and the places of the boxes in a flame graph: the common layout of the picture and the
 * live view. page/layout.js has the same layout for the page, which can also show a part of the
 * whole. A test compares the two.
 *
 * A frame is as wide as its total. Its own samples are on the left, its children to the right of
 * them, in order of name. Boxes narrower than min_width are not laid out: adjacent ones with the
 * same parent become one box, a run, so that nothing disappears without being counted.
 *
 *	|     |  read  | write |......|    the dots: a run of 7 frames
 *	|main                         |    whose own samples are below the gap
 */
#ifndef TOPSTACKS_FLAME_LAYOUT_H
#define TOPSTACKS_FLAME_LAYOUT_H

#include "profile/tree.h"

struct flame_box {
	struct tree_node node; /* for a run: its first node, with the end of its last one */
	size_t parent;	       /* index of a box; SIZE_MAX: this is the root */
	size_t nr_hidden;      /* nodes in a run, including all above them; 0: this is a frame */
	uint64_t from;	       /* its start, in the unit of the value */
	double left, right;    /* from 0 to width */
};

struct layout {
	struct flame_box *boxes; /* row by row, from left to right in each; the first is the root */
	size_t nr_boxes, capacity;
	size_t nr_hidden; /* in all runs, including those that were too narrow themselves */
	uint32_t nr_rows;
};

/* width and min_width: in pixels or columns. */
void layout__init(struct layout *layout, const struct tree *tree, double width, double min_width);
void layout__fini(struct layout *layout);

#endif
