/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which boxes of a flame graph are drawn, and where: the one layout, of the picture and of the live
 * view. page/layout.js states it again for the page, whose view may be a part of the whole, and a
 * test holds one against the other.
 *
 * A frame is as wide as its total. Its own samples are on the left of it, its children to the right
 * of them in order of name. What would be narrower than min_width is not laid out: such neighbours
 * below one frame become one box, a run, so that nothing disappears without a count.
 *
 *	|     |  read  | write |......|    the dots: a run of 7 frames
 *	|main                         |    whose own samples are below the gap
 */
#ifndef TOPSTACKS_FLAME_LAYOUT_H
#define TOPSTACKS_FLAME_LAYOUT_H

#include "profile/tree.h"

struct flame_box {
	struct tree_node node; /* of a run: its first one, with the end of its last one */
	size_t parent;	       /* index of a box; SIZE_MAX: this is the root */
	size_t nr_hidden;      /* nodes in a run, with all that is above them; 0: a frame */
	uint64_t from;	       /* where it begins, in the unit of the value */
	double left, right;    /* of 0 to width */
};

struct layout {
	struct flame_box
		*boxes; /* row after row, in each from left to right; the first is the root */
	size_t nr_boxes, capacity;
	size_t nr_hidden; /* in all runs, and in those that were too narrow themselves */
	uint32_t nr_rows;
};

/* width and min_width: in pixels, or columns. 0 or -ENOMEM; fini also after an error. */
int layout__init(struct layout *layout, const struct tree *tree, double width, double min_width);
void layout__fini(struct layout *layout);

#endif
