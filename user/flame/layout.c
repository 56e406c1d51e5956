// SPDX-License-Identifier: GPL-2.0-only
/*
 * Boxes are laid out row by row into one array. Edges are computed from sums of samples, not from
 * sums of widths, so that a child ends exactly where its parent ends.
 */
#include "flame/layout.h"

struct plan {
	struct layout *layout;
	const struct tree *tree;
	enum value value; /* what widths show */
	uint64_t all;
	double width, min_width;
};

static double place_of(const struct plan *plan, uint64_t part)
{
	return plan->all ? (double)part * plan->width / (double)plan->all : 0;
}

static struct flame_box make_box(const struct plan *plan, const struct tree_node *node,
				 size_t parent, uint64_t from)
{
	return (struct flame_box){
		.node = *node,
		.parent = parent,
		.from = from,
		.left = place_of(plan, from),
		.right = place_of(plan, sum_of(from, node->total[plan->value])),
	};
}

static void add_box(struct layout *layout, const struct flame_box *box)
{
	array__reserve(&layout->boxes, &layout->capacity, layout->nr_boxes + 1);
	layout->boxes[layout->nr_boxes++] = *box;
}

/* Adds a box that is too narrow to the current run, which is the last box, or begins a run. */
static void hide_box(struct plan *plan, struct flame_box *box, bool *in_run)
{
	struct layout *layout = plan->layout;
	struct flame_box *run;

	box->nr_hidden = 1 + tree__nr_below(plan->tree, &box->node);
	layout->nr_hidden += box->nr_hidden;
	if (!*in_run) {
		*in_run = true;
		add_box(layout, box);
		return;
	}
	run = &layout->boxes[layout->nr_boxes - 1];
	run->node.end = box->node.end;
	run->nr_hidden += box->nr_hidden;
	run->right = box->right;
}

/* Drops a run that is too narrow itself. It is already counted. */
static void end_run(struct plan *plan, bool *in_run)
{
	struct layout *layout = plan->layout;
	const struct flame_box *run = &layout->boxes[layout->nr_boxes - 1];

	if (*in_run && run->right - run->left < plan->min_width)
		layout->nr_boxes--;
	*in_run = false;
}

static void add_children(struct plan *plan, size_t parent)
{
	const struct flame_box above = plan->layout->boxes[parent];
	uint64_t from = sum_of(above.from, above.node.self[plan->value]);
	bool in_run = false, more;
	struct tree_node child;

	for (more = tree__first_child(plan->tree, &above.node, &child); more;
	     more = tree__next_child(plan->tree, &above.node, &child)) {
		struct flame_box box = make_box(plan, &child, parent, from);

		from = sum_of(from, child.total[plan->value]);
		if (place_of(plan, child.total[plan->value]) < plan->min_width) {
			hide_box(plan, &box, &in_run);
		} else {
			end_run(plan, &in_run);
			add_box(plan->layout, &box);
		}
	}
	end_run(plan, &in_run);
}

void layout__init(struct layout *layout, const struct tree *tree, double width, double min_width)
{
	enum value value = tree__metrics(tree)->shown;
	struct tree_node node = tree__root(tree);
	struct plan plan = {.layout = layout,
			    .tree = tree,
			    .value = value,
			    .all = node.total[value],
			    .width = width,
			    .min_width = min_width};
	struct flame_box root = make_box(&plan, &node, SIZE_MAX, 0);

	*layout = (struct layout){0};
	root.right = width;
	add_box(layout, &root);
	for (size_t i = 0; i < layout->nr_boxes; i++)
		if (!layout->boxes[i].nr_hidden)
			add_children(&plan, i);
	layout->nr_rows = layout->boxes[layout->nr_boxes - 1].node.depth + 1;
}

void layout__fini(struct layout *layout)
{
	free(layout->boxes);
	*layout = (struct layout){0};
}
