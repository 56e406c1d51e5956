// SPDX-License-Identifier: GPL-2.0-only
#include "flame/heat.h"

static int compare_cells(const void *left, const void *right)
{
	const struct heat_cell *a = left, *b = right;

	return (a->stack > b->stack) - (a->stack < b->stack);
}

/* Adds a cell for each sample of a slice whose stack the tree has. */
static void add_slice(struct heat_column *column, const struct tree *tree,
		      const struct profile *slice)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(slice, &nr_samples);

	array__reserve(&column->cells, &column->capacity, column->nr + nr_samples);
	for (size_t i = 0; i < nr_samples; i++) {
		const uint64_t *values = samples[i].values;
		const uint32_t stack = values[VALUE_COUNT] || values[VALUE_WEIGHT]
					       ? tree__find(tree, &samples[i])
					       : ID_NONE;

		if (stack != ID_NONE)
			column->cells[column->nr++] = (struct heat_cell){
				stack, {values[VALUE_COUNT], values[VALUE_WEIGHT]}};
	}
}

static void fill_event(const struct heat *heat, struct heat_event *of, const struct tree *tree,
		       const struct recording *event)
{
	const size_t nr = (size_t)(heat->column_ns / event->slice_ns); /* slices a column */

	of->profile = event->profile;
	of->columns = xcalloc(heat->nr_columns, sizeof(*of->columns));
	for (size_t i = 0; i < heat->nr_columns; i++) {
		struct heat_column *column = &of->columns[i];
		size_t kept = 0;

		for (size_t j = i * nr; j < (i + 1) * nr && j < event->nr_slices; j++)
			if (event->slices[j])
				add_slice(column, tree, event->slices[j]);
		if (column->nr)
			qsort(column->cells, column->nr, sizeof(*column->cells), compare_cells);
		for (size_t j = 0; j < column->nr; j++) {
			const struct heat_cell cell = column->cells[j];

			if (!kept || column->cells[kept - 1].stack != cell.stack) {
				column->cells[kept++] = cell;
				continue;
			}
			for (int value = 0; value < VALUES; value++) {
				uint64_t *sum = &column->cells[kept - 1].values[value];

				*sum = sum_of(*sum, cell.values[value]);
			}
		}
		column->nr = kept;
	}
}

void heat__init(struct heat *heat, const struct tree *tree, const struct recording *recording)
{
	size_t nr, slices;

	*heat = (struct heat){.recording = recording};
	if (!recording || recording->nr_slices < 2 || !recording->slice_ns ||
	    recording->slice_times)
		return;
	/* Each column has the same number of slices. */
	nr = recording__nr_pieces(recording);
	slices = (nr + MAX_HEAT_COLUMNS - 1) / MAX_HEAT_COLUMNS;
	heat->column_ns = recording->slice_ns * slices;
	heat->nr_columns = (nr + slices - 1) / slices;
	heat->events = xcalloc(recording__nr_events(recording), sizeof(*heat->events));
	for (; recording; recording = recording->more)
		fill_event(heat, &heat->events[heat->nr_events++], tree, recording);
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
