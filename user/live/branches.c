// SPDX-License-Identifier: GPL-2.0-only
#include "live/branches.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

#define FOLDED_BELOW 0.05  /* of all samples: such a row is folded when it is first seen */
#define MOST_FOLDS   65536 /* beyond, all is forgotten */
#define MOST_INDENT  64

/* ---- folds ---- */

struct fold {
	struct pool_item item;
	uint64_t id;
	bool is_folded;
};

static int equal_folds(const void *left, const void *right)
{
	const struct fold *a = left, *b = right;

	return a->id == b->id;
}

static struct fold *find_fold(struct folds *folds, uint64_t id)
{
	const struct fold key = {.item.hash = (uint32_t)id, .id = id};
	const struct pool_item *item = NULL;

	if (folds->rows.nr_items)
		item = pool__find(&folds->rows, &key.item);
	return item ? (struct fold *)folds->rows.items[item->id] : NULL;
}

void folds__clear(struct folds *folds)
{
	pool__clear(&folds->rows);
}

void folds__set(struct folds *folds, uint64_t id, bool folded)
{
	struct fold *fold = find_fold(folds, id);

	if (fold)
		fold->is_folded = folded;
}

/* As it is, or as it is to be from here on. */
static int is_folded(struct folds *folds, uint64_t id, bool preset)
{
	const struct fold key = {.item.hash = (uint32_t)id, .id = id, .is_folded = preset};
	const struct fold *fold = find_fold(folds, id);

	if (fold)
		return fold->is_folded;
	folds->rows.equal = equal_folds;
	if (folds->rows.nr_items >= MOST_FOLDS)
		pool__clear(&folds->rows);
	return pool__intern(&folds->rows, &key.item, sizeof(key)) == ID_NONE ? -ENOMEM : preset;
}

/* ---- rows ---- */

uint64_t branch__id(const struct tree *tree, uint64_t parent, uint32_t name)
{
	const struct tree_name *text = tree__name(tree, name);

	return row_id__join(parent, row_id__of(text->text, text->module));
}

bool branch__next_node(const struct tree *tree, const struct live_row *row, struct tree_node *node)
{
	return node->depth < row->end_depth && tree__first_child(tree, node, node);
}

/* The last node of the chain that begins here, and its id. */
static struct tree_node end_of_chain(const struct tree *tree, struct tree_node node, uint64_t *id)
{
	const enum value shown = tree__metrics(tree)->shown;
	struct tree_node child;

	while (!node.self[shown] && tree__first_child(tree, &node, &child) &&
	       child.total[shown] == node.total[shown]) {
		node = child;
		*id = branch__id(tree, *id, node.name);
	}
	return node;
}

static int push(struct branches *branches, const struct live_row *row)
{
	if (array__reserve(&branches->rows, &branches->capacity, branches->nr_rows + 1))
		return -ENOMEM;
	branches->rows[branches->nr_rows++] = *row;
	return 0;
}

/* Children with their ids, in the order that does not jump. */
struct family {
	struct tree_node *nodes;
	struct order_item *items;
	size_t nr, nodes_capacity, items_capacity;
};

static int add_child(struct family *family, const struct tree_node *node, uint64_t value,
		     uint64_t id)
{
	if (array__reserve(&family->nodes, &family->nodes_capacity, family->nr + 1) ||
	    array__reserve(&family->items, &family->items_capacity, family->nr + 1))
		return -ENOMEM;
	family->nodes[family->nr] = *node;
	family->items[family->nr] =
		(struct order_item){.id = id, .value = value, .index = family->nr};
	family->nr++;
	return 0;
}

static int collect(const struct branches *branches, const struct tree_node *parent,
		   uint64_t parent_id, struct family *family)
{
	const enum value shown = tree__metrics(branches->tree)->shown;
	struct tree_node child;
	int code = 0;
	bool more;

	for (more = tree__first_child(branches->tree, parent, &child); more && !code;
	     more = tree__next_child(branches->tree, parent, &child))
		code = add_child(family, &child, child.total[shown],
				 branch__id(branches->tree, parent_id, child.name));
	return code ? code
		    : order__arrange(branches->order, family->items, family->nr, branches->unit);
}

static int list_below(struct branches *branches, const struct tree_node *parent, uint64_t parent_id,
		      unsigned int indent);

static bool is_small(const struct branches *branches, const struct tree_node *node)
{
	const enum value shown = tree__metrics(branches->tree)->shown;
	struct tree_node root = tree__root(branches->tree);

	return (double)node->total[shown] < FOLDED_BELOW * (double)root.total[shown];
}

static int list_branch(struct branches *branches, const struct tree_node *node, uint64_t id,
		       unsigned int indent)
{
	const struct tree_name *name = tree__name(branches->tree, node->name);
	const enum value shown = tree__metrics(branches->tree)->shown;
	uint64_t end_id = id;
	struct tree_node child, end = end_of_chain(branches->tree, *node, &end_id);
	int folded = is_folded(branches->folds, id, is_small(branches, node));
	struct live_row row = {
		.id = id,
		.self = end.self[shown],
		.total = node->total[shown],
		.name = name->text,
		.module = name->module,
		.kind = name->kind,
		.node = *node,
		.end_depth = end.depth,
		.indent = indent,
		.has_children = tree__first_child(branches->tree, &end, &child),
		.is_folded = folded > 0,
	};
	int code = folded < 0 ? folded : push(branches, &row);

	if (code || folded || !row.has_children)
		return code;
	return list_below(branches, &end, end_id, indent < MOST_INDENT ? indent + 1 : indent);
}

/* As deep as stacks have branches, which is bounded by their depth. */
static int list_below(struct branches *branches, const struct tree_node *parent, uint64_t parent_id,
		      unsigned int indent)
{
	struct family family = {0};
	int code = collect(branches, parent, parent_id, &family);

	for (size_t i = 0; i < family.nr && !code; i++)
		code = list_branch(branches, &family.nodes[family.items[i].index],
				   family.items[i].id, indent);
	free(family.nodes);
	free(family.items);
	return code;
}

int branches__list(struct branches *branches)
{
	struct tree_node root = tree__root(branches->tree);
	int code = list_below(branches, &root, ROW_ID_NONE, 0);
	uint64_t *ids = code ? NULL : malloc((branches->nr_rows + 1) * sizeof(*ids));

	if (!ids)
		return -ENOMEM;
	for (size_t i = 0; i < branches->nr_rows; i++)
		ids[i] = branches->rows[i].id;
	code = order__keep(branches->order, ids, branches->nr_rows);
	free(ids);
	return code;
}
