// SPDX-License-Identifier: GPL-2.0-only
/* The samples of a column form a profile, whose tree has their values by stack. */
#include "flame/heat.h"

#include "flame/columns.h"

static void fill_event(const struct heat *heat, struct heat_event *of, const struct tree *tree,
		       const struct recording *event, enum merge merge)
{
	const size_t nr_stacks = tree__nr_stacks(tree);
	uint64_t *values[VALUES] = {xcalloc(nr_stacks + 1, sizeof(uint64_t)),
				    xcalloc(nr_stacks + 1, sizeof(uint64_t))};
	const size_t nr = (size_t)(heat->column_ns / event->slice_ns); /* slices a column */

	of->profile = event->profile;
	of->columns = xcalloc(heat->nr_columns, sizeof(*of->columns));
	for (size_t i = 0; i < heat->nr_columns; i++) {
		struct heat_column *column = &of->columns[i];
		struct tree *some;
		struct profile *samples =
			profile__new_like(event->profile, profile__dictionary(event->profile));

		for (size_t j = i * nr; j < (i + 1) * nr && j < event->nr_slices; j++)
			if (event->slices[j])
				profile__merge(samples, event->slices[j]);
		some = tree__new(samples, merge, TREE_FROM_ROOT);
		columns__find(tree, some, values, NULL);
		tree__free(some);
		for (uint32_t stack = 0; stack < nr_stacks; stack++) {
			const struct heat_cell cell = {
				.stack = stack,
				.values = {values[VALUE_COUNT][stack], values[VALUE_WEIGHT][stack]},
			};

			values[VALUE_COUNT][stack] = values[VALUE_WEIGHT][stack] = 0;
			if (!cell.values[VALUE_COUNT] && !cell.values[VALUE_WEIGHT])
				continue;
			array__reserve(&column->cells, &column->capacity, column->nr + 1);
			column->cells[column->nr++] = cell;
		}
		profile__free(samples);
	}
	free(values[VALUE_COUNT]);
	free(values[VALUE_WEIGHT]);
}

void heat__init(struct heat *heat, const struct tree *tree, const struct recording *recording,
		enum merge merge)
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
		fill_event(heat, &heat->events[heat->nr_events++], tree, recording, merge);
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
