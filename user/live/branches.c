// SPDX-License-Identifier: GPL-2.0-only
#include "live/branches.h"

#define FOLDED_BELOW 0.05  /* of all samples: smaller rows are first shown folded */
#define MOST_FOLDS   65536 /* beyond this number, all are forgotten */
#define MOST_INDENT  64

struct fold {
	struct map_number of; /* the id of a row */
	bool is_folded;
};

void branches__fold(struct live *live, uint64_t id, bool folded)
{
	struct fold *fold = map__find_number(&live->folds, id);

	if (fold)
		fold->is_folded = folded;
}

/* Returns the state of the row. If it has none, sets it to preset. */
static bool is_folded(struct live *live, uint64_t id, bool preset)
{
	struct fold *fold = map__find_number(&live->folds, id);

	if (fold)
		return fold->is_folded;
	if (map__nr_items(&live->folds) >= MOST_FOLDS)
		map__clear(&live->folds);
	fold = map__add_number(&live->folds, id, sizeof(*fold));
	fold->is_folded = preset;
	return preset;
}

bool branch__next_node(const struct tree *tree, const struct live_row *row, struct tree_node *node)
{
	return node->depth < row->end_depth && tree__first_child(tree, node, node);
}

/* Finds the last node of the chain that begins at node, and its id. */
static struct tree_node end_of_chain(const struct tree *tree, struct tree_node node, uint64_t *id)
{
	const enum value shown = tree__metrics(tree)->shown;
	struct tree_node child;

	while (!node.self[shown] && tree__first_child(tree, &node, &child) &&
	       child.total[shown] == node.total[shown]) {
		node = child;
		*id = row_id__of_node(tree, *id, node.name);
	}
	return node;
}

/* Collects the children of a node in the stable order. *items have their ids and indices. */
static struct tree_node *collect(struct live *live, const struct tree_node *parent,
				 uint64_t parent_id, struct order_item **items, size_t *nr)
{
	const enum value shown = tree__metrics(live->tree)->shown;
	const struct rows_order order = live__order(live);
	struct tree_node *nodes = NULL, child;
	size_t nodes_capacity = 0, items_capacity = 0;

	*nr = 0;
	*items = NULL;
	for (bool more = tree__first_child(live->tree, parent, &child); more;
	     more = tree__next_child(live->tree, parent, &child)) {
		const uint64_t id = row_id__of_node(live->tree, parent_id, child.name);

		array__reserve(&nodes, &nodes_capacity, *nr + 1);
		array__reserve(items, &items_capacity, *nr + 1);
		nodes[*nr] = child;
		(*items)[*nr] = (struct order_item){.id = id,
						    .value = child.total[shown],
						    .sum = rows_order__sum(&order, id),
						    .index = *nr};
		++*nr;
	}
	order__arrange(order.order, *items, *nr, order.unit);
	return nodes;
}

/* Recurses. The depth is bounded by that of the stacks. */
static void list_below(struct live *live, const struct tree_node *parent, uint64_t parent_id,
		       unsigned int indent)
{
	const struct tree *tree = live->tree;
	const enum value shown = tree__metrics(tree)->shown;
	const double least = FOLDED_BELOW * (double)tree__root(tree).total[shown];
	struct order_item *items;
	size_t nr;
	struct tree_node *nodes = collect(live, parent, parent_id, &items, &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct tree_node *node = &nodes[items[i].index];
		const struct tree_name *name = tree__name(tree, node->name);
		uint64_t end_id = items[i].id;
		struct tree_node child, end = end_of_chain(tree, *node, &end_id);
		const struct live_row row = {
			.id = items[i].id,
			.self = end.self[shown],
			.total = node->total[shown],
			.self_squares = end.self_squares,
			.total_squares = node->total_squares,
			.name = name->text,
			.module = name->module,
			.kind = name->kind,
			.node = *node,
			.end_depth = end.depth,
			.indent = indent,
			.has_children = tree__first_child(tree, &end, &child),
			.is_folded =
				is_folded(live, items[i].id, (double)node->total[shown] < least),
		};

		array__reserve(&live->rows, &live->rows_capacity, live->nr_rows + 1);
		live->rows[live->nr_rows++] = row;
		if (row.has_children && !row.is_folded)
			list_below(live, &end, end_id, indent < MOST_INDENT ? indent + 1 : indent);
	}
	free(nodes);
	free(items);
}

void branches__list(struct live *live)
{
	struct tree_node root = tree__root(live->tree);
	const struct rows_order order = live__order(live);

	list_below(live, &root, ROW_ID_NONE, 0);
	rows__keep_order(live->rows, live->nr_rows, &order);
}
