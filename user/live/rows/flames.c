// SPDX-License-Identifier: GPL-2.0-only
/* Makes boxes from the common layout (flame/layout.h), rounded to whole columns of text. */
#include "live/rows/flames.h"

#include "flame/layout.h"
#include "live/rows/row_ids.h"

#define MIN_COLUMNS 0.5 /* a box that is half as wide as a column may still fill one */

/* parent: index in boxes; SIZE_MAX: none. */
static struct live_box make_box(const struct tree *tree, const struct live_box *boxes,
				size_t parent, const struct flame_box *laid)
{
	const enum value shown = tree__metrics(tree)->shown;

	return (struct live_box){
		.id = row_id__of_node(tree, parent == SIZE_MAX ? ROW_ID_NONE : boxes[parent].id,
				      laid->node.name),
		.total = laid->node.total[shown],
		.self = laid->node.self[shown],
		.name = laid->node.name,
		.depth = laid->node.depth,
		.start = (uint32_t)laid->left,
		.end = (uint32_t)laid->right,
		.parent = parent,
	};
}

/*
 * Leaves out the root, runs of narrow frames, and what fills no column. The frames above those are
 * not wider and are left out, too. made: indices in boxes by those in the layout.
 */
static size_t make_boxes(const struct tree *tree, const struct layout *layout, size_t *made,
			 struct live_box *boxes)
{
	size_t nr_boxes = 0;

	made[0] = SIZE_MAX;
	for (size_t i = 1; i < layout->nr_boxes; i++) {
		const struct flame_box *laid = &layout->boxes[i];

		if (laid->nr_hidden || (uint32_t)laid->right == (uint32_t)laid->left)
			continue;
		boxes[nr_boxes] = make_box(tree, boxes, made[laid->parent], laid);
		made[i] = nr_boxes++;
	}
	return nr_boxes;
}

long flames__lay_out(const struct tree *tree, uint32_t columns, struct live_box **boxes)
{
	struct layout layout;
	int code = layout__init(&layout, tree, columns, MIN_COLUMNS);
	size_t *made = calloc(layout.nr_boxes + 1, sizeof(*made)), nr_boxes = 0;

	*boxes = calloc(layout.nr_boxes + 1, sizeof(**boxes));
	if (!code && made && *boxes) {
		nr_boxes = make_boxes(tree, &layout, made, *boxes);
	} else {
		free(*boxes);
		*boxes = NULL;
		code = -ENOMEM;
	}
	free(made);
	layout__fini(&layout);
	return code ? code : (long)nr_boxes;
}
