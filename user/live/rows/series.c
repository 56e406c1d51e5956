// SPDX-License-Identifier: GPL-2.0-only
#include "live/rows/series.h"

#include "live/rows/rows.h"

static int by_id(const void *left, const void *right)
{
	const struct point *a = left, *b = right;

	return (a->id > b->id) - (a->id < b->id);
}

static int from_rows(struct series *series, const struct selection *selection, struct row_ids *ids,
		     const struct profile *profile)
{
	struct live_row *rows;
	long nr = rows__make(selection, ids, profile, &rows);

	if (nr < 0)
		return (int)nr;
	series->points = xcalloc((size_t)nr + 1, sizeof(*series->points));
	series->nr_points = (size_t)nr;
	for (long i = 0; i < nr; i++)
		series->points[i] = (struct point){rows[i].id, row__value(&rows[i], selection)};
	free(rows);
	return 0;
}

/* The path from the root to a stack's leaf: ids of its nodes, and their indices in points. */
static int from_tree(struct series *series, const struct selection *selection,
		     const struct profile *profile)
{
	struct tree *tree = tree__new(profile, selection->merge, selection->direction);
	size_t depth, capacity = 0, *path;
	uint64_t *ids;
	enum value shown;

	if (!tree)
		return -ENOMEM;
	depth = (size_t)tree__max_depth(tree) + 1;
	path = xcalloc(depth + 1, sizeof(*path));
	ids = xcalloc(depth + 1, sizeof(*ids));
	shown = tree__metrics(tree)->shown;
	for (size_t i = 0; i < tree__nr_stacks(tree); i++) {
		const struct tree_stack stack = tree__stack(tree, i);

		array__reserve(&series->points, &capacity, series->nr_points + stack.nr_names + 1);
		for (uint32_t j = 0; j < stack.nr_names; j++) {
			if (j >= stack.shared) {
				ids[j] = row_id__of_node(tree, j ? ids[j - 1] : ROW_ID_NONE,
							 stack.names[j]);
				path[j] = series->nr_points;
				series->points[series->nr_points++] = (struct point){.id = ids[j]};
			}
			series->points[path[j]].value += stack.values[shown];
		}
	}
	free(path);
	free(ids);
	tree__free(tree);
	return 0;
}

int series__init(struct series *series, const struct selection *selection, struct row_ids *ids,
		 const struct profile *profile)
{
	bool is_tree = selection->view == VIEW_TREE || selection->view == VIEW_FLAMES;
	int code;

	*series = (struct series){0};
	code = is_tree ? from_tree(series, selection, profile)
		       : from_rows(series, selection, ids, profile);
	if (series->nr_points)
		qsort(series->points, series->nr_points, sizeof(*series->points), by_id);
	return code;
}

void series__fini(struct series *series)
{
	free(series->points);
	*series = (struct series){0};
}

const struct point *series__find(const struct series *series, uint64_t id)
{
	const struct point key = {.id = id};

	if (!series->nr_points)
		return NULL;
	return bsearch(&key, series->points, series->nr_points, sizeof(key), by_id);
}

uint64_t series__value(const struct series *series, uint64_t id)
{
	const struct point *point = series__find(series, id);

	return point ? point->value : 0;
}
