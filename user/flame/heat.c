// SPDX-License-Identifier: GPL-2.0-only
/* The samples of a column form a profile, whose tree has their values by stack. */
#include "flame/heat.h"

#include "flame/columns.h"

static int add_cell(struct heat_column *column, uint32_t stack, uint64_t *const *values)
{
	struct heat_cell *cell;

	if (array__reserve(&column->cells, &column->capacity, column->nr + 1))
		return -ENOMEM;
	cell = &column->cells[column->nr++];
	*cell = (struct heat_cell){
		.stack = stack,
		.values = {values[VALUE_COUNT][stack], values[VALUE_WEIGHT][stack]}};
	return 0;
}

/* Finds the values of the stacks, and sets values to 0 again. */
static int fill_column(struct heat_column *column, const struct tree *tree,
		       const struct profile *samples, enum merge merge, uint64_t **values)
{
	struct tree *some = tree__new(samples, merge, TREE_FROM_ROOT);
	int code = some ? 0 : -ENOMEM;

	if (!code)
		columns__find(tree, some, values, NULL);
	for (uint32_t i = 0; i < tree__nr_stacks(tree) && !code; i++) {
		if (values[VALUE_COUNT][i] || values[VALUE_WEIGHT][i])
			code = add_cell(column, i, values);
		values[VALUE_COUNT][i] = values[VALUE_WEIGHT][i] = 0;
	}
	tree__free(some);
	return code;
}

/* Merges all slices of a column. NULL: out of memory. */
static struct profile *samples_of(const struct heat *heat, const struct recording *event,
				  size_t column)
{
	const size_t nr = (size_t)(heat->column_ns / event->slice_ns);
	struct profile *samples =
		profile__new_like(event->profile, profile__dictionary(event->profile));
	int code = samples ? 0 : -ENOMEM;

	for (size_t i = column * nr; i < (column + 1) * nr && i < event->nr_slices && !code; i++)
		if (event->slices[i])
			code = profile__merge(samples, event->slices[i]);
	if (!code)
		return samples;
	profile__free(samples);
	return NULL;
}

static int fill_event(const struct heat *heat, struct heat_event *of, const struct tree *tree,
		      const struct recording *event, enum merge merge)
{
	uint64_t *values[VALUES] = {calloc(tree__nr_stacks(tree) + 1, sizeof(uint64_t)),
				    calloc(tree__nr_stacks(tree) + 1, sizeof(uint64_t))};
	int code = values[VALUE_COUNT] && values[VALUE_WEIGHT] ? 0 : -ENOMEM;

	of->profile = event->profile;
	of->columns = calloc(heat->nr_columns, sizeof(*of->columns));
	if (!of->columns)
		code = -ENOMEM;
	for (size_t i = 0; i < heat->nr_columns && !code; i++) {
		struct profile *samples = samples_of(heat, event, i);

		code = samples ? fill_column(&of->columns[i], tree, samples, merge, values)
			       : -ENOMEM;
		profile__free(samples);
	}
	free(values[VALUE_COUNT]);
	free(values[VALUE_WEIGHT]);
	return code;
}

/* Gives each column the same number of slices, so that MAX_HEAT_COLUMNS is not exceeded. */
static void plan_columns(struct heat *heat)
{
	const size_t nr = recording__nr_pieces(heat->recording);
	const size_t slices = (nr + MAX_HEAT_COLUMNS - 1) / MAX_HEAT_COLUMNS;

	heat->column_ns = heat->recording->slice_ns * slices;
	heat->nr_columns = (nr + slices - 1) / slices;
}

int heat__init(struct heat *heat, const struct tree *tree, const struct recording *recording,
	       enum merge merge)
{
	int code = 0;

	*heat = (struct heat){.recording = recording};
	if (!recording || recording->nr_slices < 2 || !recording->slice_ns ||
	    recording->slice_times)
		return 0;
	plan_columns(heat);
	heat->events = calloc(recording__nr_events(recording), sizeof(*heat->events));
	for (; recording && heat->events && !code; recording = recording->more)
		code = fill_event(heat, &heat->events[heat->nr_events++], tree, recording, merge);
	return heat->events ? code : -ENOMEM;
}

void heat__fini(struct heat *heat)
{
	for (size_t i = 0; i < heat->nr_events; i++) {
		for (size_t j = 0; heat->events[i].columns && j < heat->nr_columns; j++)
			free(heat->events[i].columns[j].cells);
		free(heat->events[i].columns);
	}
	free(heat->events);
	*heat = (struct heat){0};
}
