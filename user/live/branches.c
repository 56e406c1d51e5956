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
static int is_folded(struct live *live, uint64_t id, bool preset)
{
	struct fold *fold = map__find_number(&live->folds, id);

	if (fold)
		return fold->is_folded;
	if (map__nr_items(&live->folds) >= MOST_FOLDS)
		map__clear(&live->folds);
	fold = map__add_number(&live->folds, id, sizeof(*fold));
	if (!fold)
		return -ENOMEM;
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

static int push(struct live *live, const struct live_row *row)
{
	if (array__reserve(&live->rows, &live->rows_capacity, live->nr_rows + 1))
		return -ENOMEM;
	live->rows[live->nr_rows++] = *row;
	return 0;
}

/* The children of a node with their ids, in the stable order. */
struct family {
	struct tree_node *nodes;
	struct order_item *items;
	size_t nr, nodes_capacity, items_capacity;
};

static int add_child(struct family *family, const struct tree_node *node,
		     const struct order_item *item)
{
	if (array__reserve(&family->nodes, &family->nodes_capacity, family->nr + 1) ||
	    array__reserve(&family->items, &family->items_capacity, family->nr + 1))
		return -ENOMEM;
	family->nodes[family->nr] = *node;
	family->items[family->nr] = *item;
	family->items[family->nr].index = family->nr;
	family->nr++;
	return 0;
}

static int collect(struct live *live, const struct tree_node *parent, uint64_t parent_id,
		   struct family *family)
{
	const enum value shown = tree__metrics(live->tree)->shown;
	const struct rows_order order = live__order(live);
	struct tree_node child;
	int code = 0;
	bool more;

	for (more = tree__first_child(live->tree, parent, &child); more && !code;
	     more = tree__next_child(live->tree, parent, &child)) {
		const uint64_t id = row_id__of_node(live->tree, parent_id, child.name);

		code = add_child(family, &child,
				 &(struct order_item){.id = id,
						      .value = child.total[shown],
						      .sum = rows_order__sum(&order, id)});
	}
	return code ? code : order__arrange(order.order, family->items, family->nr, order.unit);
}

static int list_below(struct live *live, const struct tree_node *parent, uint64_t parent_id,
		      unsigned int indent);

static bool is_small(const struct live *live, const struct tree_node *node)
{
	const enum value shown = tree__metrics(live->tree)->shown;
	struct tree_node root = tree__root(live->tree);

	return (double)node->total[shown] < FOLDED_BELOW * (double)root.total[shown];
}

static int list_branch(struct live *live, const struct tree_node *node, uint64_t id,
		       unsigned int indent)
{
	const struct tree_name *name = tree__name(live->tree, node->name);
	const enum value shown = tree__metrics(live->tree)->shown;
	uint64_t end_id = id;
	struct tree_node child, end = end_of_chain(live->tree, *node, &end_id);
	int folded = is_folded(live, id, is_small(live, node));
	struct live_row row = {
		.id = id,
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
		.has_children = tree__first_child(live->tree, &end, &child),
		.is_folded = folded > 0,
	};
	int code = folded < 0 ? folded : push(live, &row);

	if (code || folded || !row.has_children)
		return code;
	return list_below(live, &end, end_id, indent < MOST_INDENT ? indent + 1 : indent);
}

/* Recurses. The depth is bounded by that of the stacks. */
static int list_below(struct live *live, const struct tree_node *parent, uint64_t parent_id,
		      unsigned int indent)
{
	struct family family = {0};
	int code = collect(live, parent, parent_id, &family);

	for (size_t i = 0; i < family.nr && !code; i++)
		code = list_branch(live, &family.nodes[family.items[i].index], family.items[i].id,
				   indent);
	free(family.nodes);
	free(family.items);
	return code;
}

int branches__list(struct live *live)
{
	struct tree_node root = tree__root(live->tree);
	const struct rows_order order = live__order(live);
	int code = list_below(live, &root, ROW_ID_NONE, 0);

	return code ? code : rows__keep_order(live->rows, live->nr_rows, &order);
}
