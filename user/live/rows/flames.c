// SPDX-License-Identifier: GPL-2.0-only
/* Makes boxes from the common layout (flame/layout.h), rounded to whole columns of text. */
#include "live/rows/flames.h"

#include "flame/layout.h"
#include "live/rows/row_ids.h"

#define MIN_COLUMNS 0.5 /* a box that is half as wide as a column may still fill one */

/*
 * Leaves out the root, runs of narrow frames, and what fills no column. The frames above those are
 * not wider and are left out, too.
 */
size_t flames__lay_out(const struct tree *tree, uint32_t columns, struct live_box **boxes)
{
	const enum value shown = tree__metrics(tree)->shown;
	struct layout layout;
	size_t *made, nr_boxes = 0; /* made: indices in boxes by those in the layout */

	layout__init(&layout, tree, columns, MIN_COLUMNS);
	made = xcalloc(layout.nr_boxes + 1, sizeof(*made));
	made[0] = SIZE_MAX;
	*boxes = xcalloc(layout.nr_boxes + 1, sizeof(**boxes));
	for (size_t i = 1; i < layout.nr_boxes; i++) {
		const struct flame_box *laid = &layout.boxes[i];
		const struct tree_node *node = &laid->node;
		const size_t parent = made[laid->parent];

		if (laid->nr_hidden || (uint32_t)laid->right == (uint32_t)laid->left)
			continue;
		(*boxes)[nr_boxes] = (struct live_box){
			.id = row_id__of_node(
				tree, parent == SIZE_MAX ? ROW_ID_NONE : (*boxes)[parent].id,
				node->name),
			.total = node->total[shown],
			.self = node->self[shown],
			.name = node->name,
			.depth = node->depth,
			.start = (uint32_t)laid->left,
			.end = (uint32_t)laid->right,
			.parent = parent,
		};
		made[i] = nr_boxes++;
	}
	free(made);
	layout__fini(&layout);
	return nr_boxes;
}
