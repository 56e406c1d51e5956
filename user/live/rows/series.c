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
	series->points = calloc((size_t)nr + 1, sizeof(*series->points));
	if (series->points)
		for (series->nr_points = 0; series->nr_points < (size_t)nr; series->nr_points++) {
			const struct live_row *row = &rows[series->nr_points];

			series->points[series->nr_points] =
				(struct point){row->id, row__value(row, selection)};
		}
	free(rows);
	return series->points ? 0 : -ENOMEM;
}

/* The path from the root to the previous stack's leaf: indices of its nodes in points. */
struct path {
	size_t *points;
	uint64_t *ids;
	uint32_t capacity;
};

static size_t count_nodes(const struct tree *tree)
{
	size_t nr = 0;

	for (size_t i = 0; i < tree__nr_stacks(tree); i++) {
		struct tree_stack stack = tree__stack(tree, i);

		nr += stack.nr_names - stack.shared;
	}
	return nr;
}

static void add_stack(struct series *series, const struct tree *tree, size_t index,
		      struct path *path)
{
	struct tree_stack stack = tree__stack(tree, index);

	for (uint32_t i = 0; i < stack.nr_names; i++) {
		if (i >= stack.shared) {
			path->ids[i] = row_id__of_node(tree, i ? path->ids[i - 1] : ROW_ID_NONE,
						       stack.names[i]);
			path->points[i] = series->nr_points;
			series->points[series->nr_points++].id = path->ids[i];
		}
		series->points[path->points[i]].value += stack.values[tree__metrics(tree)->shown];
	}
}

static int from_tree(struct series *series, const struct selection *selection,
		     const struct profile *profile)
{
	struct tree *tree = tree__new(profile, selection->merge, selection->direction);
	size_t depth = tree ? (size_t)tree__max_depth(tree) + 1 : 0;
	struct path path = {.points = calloc(depth + 1, sizeof(*path.points)),
			    .ids = calloc(depth + 1, sizeof(*path.ids))};

	if (tree)
		series->points = calloc(count_nodes(tree) + 1, sizeof(*series->points));
	if (series->points && path.points && path.ids)
		for (size_t i = 0; i < tree__nr_stacks(tree); i++)
			add_stack(series, tree, i, &path);
	free(path.points);
	free(path.ids);
	tree__free(tree);
	return series->points && path.points && path.ids ? 0 : -ENOMEM;
}

int series__init(struct series *series, const struct selection *selection, struct row_ids *ids,
		 const struct profile *profile)
{
	bool is_tree = selection->view == VIEW_TREE || selection->view == VIEW_FLAMES;
	int code;

	*series = (struct series){0};
	code = is_tree ? from_tree(series, selection, profile)
		       : from_rows(series, selection, ids, profile);
	if (!code)
		qsort(series->points, series->nr_points, sizeof(*series->points), by_id);
	else
		series__fini(series);
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
