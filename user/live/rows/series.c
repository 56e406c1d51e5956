// SPDX-License-Identifier: GPL-2.0-only
#include "live/rows/series.h"

#include "live/rows/rows.h"

static int by_id(const void *left, const void *right)
{
	const struct point *a = left, *b = right;

	return (a->id > b->id) - (a->id < b->id);
}

/* The path from the root to a stack's leaf: ids of its nodes, and their indices in points. */
static void from_tree(struct series *series, const struct selection *selection,
		      const struct profile *profile)
{
	struct tree *tree = tree__new(profile, selection->merge, selection->direction);
	const enum value shown = tree__metrics(tree)->shown;
	const size_t depth = (size_t)tree__max_depth(tree) + 1;
	size_t capacity = 0, *path = xcalloc(depth + 1, sizeof(*path));
	uint64_t *ids = xcalloc(depth + 1, sizeof(*ids));

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
}

void series__init(struct series *series, const struct selection *selection, struct row_ids *ids,
		  const struct profile *profile)
{
	struct live_row *rows;

	*series = (struct series){0};
	if (selection->view == VIEW_TREE || selection->view == VIEW_FLAMES) {
		from_tree(series, selection, profile);
	} else {
		series->nr_points = rows__make(selection, ids, profile, &rows);
		series->points = xcalloc(series->nr_points + 1, sizeof(*series->points));
		for (size_t i = 0; i < series->nr_points; i++)
			series->points[i] =
				(struct point){rows[i].id, row__value(&rows[i], selection)};
		free(rows);
	}
	if (series->nr_points)
		qsort(series->points, series->nr_points, sizeof(*series->points), by_id);
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
