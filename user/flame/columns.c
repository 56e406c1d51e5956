// SPDX-License-Identifier: GPL-2.0-only
/*
 * The common tree has the stacks of each event's own tree in the same order, with others between
 * them. So the values of an event are found by walking both trees at the same time.
 */
#include "flame/columns.h"

struct tree *columns__tree(const struct flame_options *options)
{
	const struct profile *first = options->events[0].profile;
	struct profile *all = profile__new_like(first, profile__dictionary(first));
	struct tree *tree;

	for (size_t i = 0; i < options->nr_events; i++)
		profile__merge(all, options->events[i].profile);
	tree = tree__new(all, options->merge, TREE_FROM_ROOT);
	profile__free(all);
	return tree;
}

/* ---- an event's stacks in the common tree ---- */

static bool is_same_stack(const struct tree *all, const struct tree_stack *a,
			  const struct tree *some, const struct tree_stack *b)
{
	if (a->nr_names != b->nr_names)
		return false;
	for (uint32_t i = a->nr_names; i--;) { /* neighbours differ at their ends */
		const struct tree_name *x = tree__name(all, a->names[i]);
		const struct tree_name *y = tree__name(some, b->names[i]);

		if (strcmp(x->text, y->text) != 0 || x->process != y->process ||
		    !x->module != !y->module || (x->module && strcmp(x->module, y->module) != 0))
			return false;
	}
	return true;
}

void columns__find(const struct tree *all, const struct tree *some, uint64_t *values[VALUES],
		   double *squares)
{
	const size_t nr_all = tree__nr_stacks(all), nr_some = tree__nr_stacks(some);

	for (size_t i = 0, next = 0; i < nr_all && next < nr_some; i++) {
		const struct tree_stack a = tree__stack(all, i), b = tree__stack(some, next);

		if (!is_same_stack(all, &a, some, &b))
			continue;
		for (int value = 0; value < VALUES; value++)
			values[value][i] = b.values[value];
		if (squares)
			squares[i] = b.squares;
		next++;
	}
}

/* ---- columns ---- */

/* True if the value has a column. The value that the first event shows always has one. */
static bool is_wanted(const struct tree *tree, enum value value, bool is_first)
{
	const struct metrics *metrics = tree__metrics(tree);
	const struct tree_node root = tree__root(tree);
	const uint64_t count = root.total[VALUE_COUNT], weight = root.total[VALUE_WEIGHT];

	if (!metrics->of[value].name)
		return false;
	if (value == metrics->shown)
		return is_first || root.total[value];
	if (!root.total[value])
		return false;
	return value != VALUE_WEIGHT || metric__brings_unit(&metrics->of[value]) || weight != count;
}

void columns__init(struct columns *columns, const struct tree *tree,
		   const struct flame_options *options)
{
	const size_t nr = tree__nr_stacks(tree) + 1;

	*columns =
		(struct columns){.of = xcalloc(VALUES * options->nr_events, sizeof(*columns->of))};
	for (size_t i = 0; i < options->nr_events; i++) {
		const struct flame_event *event = &options->events[i];
		struct tree *some = tree__new(event->profile, options->merge, TREE_FROM_ROOT);
		const struct metrics *metrics = tree__metrics(some);
		const char *counted = metrics->of[VALUE_COUNT].name;
		uint64_t *values[VALUES];
		double *squares = xcalloc(nr, sizeof(*squares));

		for (int value = 0; value < VALUES; value++)
			values[value] = xcalloc(nr, sizeof(uint64_t));
		columns__find(tree, some, values, squares);
		for (enum value value = 0; value < VALUES; value++) {
			struct flame_column *column = &columns->of[columns->nr];

			if (!is_wanted(some, value, !i)) {
				free(values[value]);
				continue;
			}
			if (!i && metrics->shown == value)
				columns->shown = columns->nr;
			columns->nr++;
			column->event = event;
			column->value = value;
			column->values = values[value];
			column->metric = metrics->of[value];
			if (value == VALUE_WEIGHT) {
				column->squares = squares;
				squares = NULL;
			}
			if (value == VALUE_COUNT || !counted ||
			    strcmp(column->metric.name, counted) != 0)
				continue;
			snprintf(column->title, sizeof(column->title), "%.60s (%.30s)",
				 column->metric.name, column->metric.unit);
			column->metric.title = column->title;
		}
		free(squares);
		tree__free(some);
	}
}

void columns__fini(struct columns *columns)
{
	for (size_t i = 0; i < columns->nr; i++) {
		free(columns->of[i].values);
		free(columns->of[i].squares);
	}
	free(columns->of);
	*columns = (struct columns){0};
}
