// SPDX-License-Identifier: GPL-2.0-only
#include "live/flames.h"

#include <errno.h>
#include <stdlib.h>

#include "live/branches.h"
#include "live/identity.h"

struct layout {
	const struct tree *tree;
	struct box *boxes;
	size_t nr_boxes, capacity;
};

static int push(struct layout *layout, const struct box *box)
{
	size_t capacity = layout->capacity ? 2 * layout->capacity : 128;
	struct box *boxes;

	if (layout->nr_boxes == layout->capacity) {
		boxes = reallocarray(layout->boxes, capacity, sizeof(*boxes));
		if (!boxes)
			return -ENOMEM;
		layout->boxes = boxes;
		layout->capacity = capacity;
	}
	layout->boxes[layout->nr_boxes++] = *box;
	return 0;
}

/* Columns of part of a whole that has so many, from the left. */
static uint32_t share(uint64_t part, uint64_t whole, uint32_t columns)
{
	return whole ? (uint32_t)((double)part * columns / (double)whole) : 0;
}

/* Below a node whose box is columns wide from start on; parent is its index. */
static int lay_out_below(struct layout *layout, const struct tree_node *node, size_t parent,
			 uint32_t start, uint32_t columns)
{
	uint64_t before = 0, id = parent == SIZE_MAX ? IDENTITY_NONE : layout->boxes[parent].id;
	struct tree_node child;
	int code = 0;
	bool more;

	for (more = tree__first_child(layout->tree, node, &child); more && !code;
	     more = tree__next_child(layout->tree, node, &child)) {
		uint64_t whole = node->total[VALUE_COUNT], part = child.total[VALUE_COUNT];
		struct box box = {
			.id = branch__identity(layout->tree, id, child.name),
			.total = part,
			.self = child.self[VALUE_COUNT],
			.name = child.name,
			.depth = child.depth,
			.start = start + share(before, whole, columns),
			.end = start + share(before + part, whole, columns),
			.parent = parent,
		};

		before += part;
		if (box.end <= box.start)
			continue;
		code = push(layout, &box);
		if (!code)
			code = lay_out_below(layout, &child, layout->nr_boxes - 1, box.start,
					     box.end - box.start);
	}
	return code;
}

long flames__lay_out(const struct tree *tree, uint32_t columns, struct box **boxes)
{
	struct layout layout = {.tree = tree};
	struct tree_node root = tree__root(tree);
	int code = lay_out_below(&layout, &root, SIZE_MAX, 0, columns);

	if (code) {
		free(layout.boxes);
		return code;
	}
	*boxes = layout.boxes;
	return (long)layout.nr_boxes;
}
