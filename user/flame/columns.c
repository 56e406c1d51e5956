// SPDX-License-Identifier: GPL-2.0-only
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

/* True if the value has a column. The value that the first event shows always has one. */
static bool is_wanted(const struct profile *profile, enum value value, bool is_first)
{
	const struct metrics *metrics = profile__metrics(profile);
	const uint64_t count = profile__total(profile, VALUE_COUNT);
	const uint64_t weight = profile__total(profile, VALUE_WEIGHT);
	const uint64_t total = profile__total(profile, value);

	if (!metrics->of[value].name)
		return false;
	if (value == metrics->shown)
		return is_first || total;
	if (!total)
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
		const struct metrics *metrics = profile__metrics(event->profile);
		size_t nr_samples;
		const struct sample *samples = profile__samples(event->profile, &nr_samples);
		const char *counted = metrics->of[VALUE_COUNT].name;
		uint64_t *values[VALUES];
		double *squares = xcalloc(nr, sizeof(*squares));

		for (int value = 0; value < VALUES; value++)
			values[value] = xcalloc(nr, sizeof(uint64_t));
		for (size_t j = 0; j < nr_samples; j++) {
			const uint32_t stack = tree__find(tree, &samples[j]);

			if (stack == ID_NONE)
				continue;
			values__add(values, stack, samples[j].values);
			squares[stack] += samples[j].squares;
		}
		for (enum value value = 0; value < VALUES; value++) {
			struct flame_column *column = &columns->of[columns->nr];

			if (!is_wanted(event->profile, value, !i)) {
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
