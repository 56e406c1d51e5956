// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers are varints (7 bits per byte, low ones first). Strings are a length and raw bytes.
 *
 *	title		string
 *	facts		count; for each: name, text
 *	kinds		count; for each: name. The last one is "process"
 *	values		count; for each: title, name, unit, noun of what is counted, facts of its
 *			event alone (as above); then the index of the one that is shown first
 *	modules		count; for each: name
 *	names		count; for each: text, module + 1 or 0, kind. In order of text
 *	parts		parts of the values by waits: count; for each: state, kind of wait or "",
 *			hue (degrees), chroma (thousandths)
 *	weighed		values whose samples have different weights: count; for each: index
 *	stacks		count, sum of lengths; for each: number of names shared with the previous
 *			stack, number of further names, these names, a number for each value, a
 *			number for each value of each part, and for each weighed value the sum of
 *			squared weights over the mean weight
 *
 *	The next three are for a comparison; else there is only a count of 0:
 *	tones		count; for each: name, label, light, dark, 1 if strong
 *	told		for each stack: tone, change, words
 *	focuses		functions that changed as a whole: count; for each: name, tone, words,
 *			ratio (thousandths; 0: unknown)
 *
 *	errors		of the values, in their order: count, or 0 for a comparison; for each:
 *			samples (0: no error bars), spread (thousandths), mean weight
 *
 *	times		slices of a time line: count; for each: start (ns since 1970), duration,
 *			value. If there are any: start and duration of what is shown, and the
 *			metric of the values (as above)
 *
 *	heat		columns of time: count. If there are any: ns per column, start of the first
 *			one (ns since 1970), its distance from the start of the whole recording,
 *			duration of the recording, sampled CPUs or 0; for each value of a stack:
 *			its event, 1 if it is a weight; tones (as above)
 *	events		count; for each: the weight of each sample, or 0 if weights differ; then for
 *			each column: count; for each of its stacks: 2 * number of stacks skipped
 *			since the previous one, + 1 if its count follows (else it is 1); the count;
 *			the weight if weights differ
 */
#include "flame/data.h"

#include <math.h>

#include "flame/colors.h"

static void put_number(FILE *out, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		putc_unlocked((int)(number & 0x7f) | 0x80, out);
	putc_unlocked((int)number, out);
}

static void put_string(FILE *out, const char *string)
{
	size_t length = strlen(string);

	put_number(out, length);
	fwrite_unlocked(string, 1, length, out);
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void put_facts(FILE *out, const struct flame_fact *facts, size_t nr_facts)
{
	put_number(out, nr_facts);
	for (size_t i = 0; i < nr_facts; i++) {
		put_string(out, facts[i].name);
		put_string(out, facts[i].text);
	}
}

/* event: the event that it belongs to; NULL: all that the page shows. */
static void put_metric(FILE *out, const struct metric *metric, const struct flame_event *event)
{
	put_string(out, metric->name ? metric__title(metric) : "");
	put_string(out, metric->name ? metric->name : "");
	put_string(out, metric->unit ? metric->unit : "");
	put_string(out, metric->name ? metric__noun(metric) : "");
	put_facts(out, event ? event->facts : NULL, event ? event->nr_facts : 0);
}

static void put_names(FILE *out, const struct tree *tree)
{
	const size_t nr_names = tree__nr_names(tree);
	const char **modules = xcalloc(nr_names + 1, sizeof(*modules));
	size_t nr = 0, nr_modules = 0;

	for (uint32_t i = 0; i < nr_names; i++)
		if (tree__name(tree, i)->module)
			modules[nr++] = tree__name(tree, i)->module;
	qsort(modules, nr, sizeof(*modules), compare_strings);
	for (size_t i = 0; i < nr; i++)
		if (!nr_modules || strcmp(modules[nr_modules - 1], modules[i]))
			modules[nr_modules++] = modules[i];

	put_number(out, nr_modules);
	for (size_t i = 0; i < nr_modules; i++)
		put_string(out, modules[i]);
	put_number(out, nr_names);
	for (uint32_t i = 0; i < nr_names; i++) {
		const struct tree_name *name = tree__name(tree, i);
		const char **module = name->module ? bsearch(&name->module, modules, nr_modules,
							     sizeof(*modules), compare_strings)
						   : NULL;

		put_string(out, name->text);
		put_number(out, module ? (size_t)(module - modules) + 1 : 0);
		put_number(out, name->process ? FRAME_KINDS : name->kind);
	}
	free(modules);
}

/* The values of a stack that widths can show. */
struct shown_values {
	const struct columns *columns; /* NULL: the used values of the tree */
	const struct wait_parts *parts;
	bool used[VALUES];
	bool is_compared;
};

/*
 * Writes the metrics of all values, and finds the values that the tree uses: those that a stack
 * has. An empty profile still uses the value that it shows.
 */
static void put_metrics(FILE *out, const struct tree *tree, struct shown_values *shown)
{
	/* Shares of both sides of a comparison. The page recognizes them by their unit. */
	static const struct metric shares[] = {
		{.name = "Mean", .unit = "mean share"},
		{.name = "Base", .unit = "share"},
		{.name = "New", .unit = "share"},
	};
	const struct metrics *metrics = tree__metrics(tree);
	const struct tree_node root = tree__root(tree);
	const struct columns *columns = shown->columns;
	bool *used = shown->used;

	if (shown->is_compared) {
		put_number(out, sizeof(shares) / sizeof(shares[0]));
		for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
			put_metric(out, &shares[i], NULL);
		put_number(out, 0);
		return;
	}
	if (columns) {
		put_number(out, columns->nr);
		for (size_t i = 0; i < columns->nr; i++)
			put_metric(out, &columns->of[i].metric, columns->of[i].event);
		put_number(out, columns->shown);
		return;
	}
	for (int value = 0; value < VALUES; value++)
		used[value] = root.total[value] != 0;
	used[metrics->shown] |= !used[VALUE_COUNT] && !used[VALUE_WEIGHT];
	put_number(out, used[VALUE_COUNT] + used[VALUE_WEIGHT]);
	for (int value = 0; value < VALUES; value++)
		if (used[value])
			put_metric(out, &metrics->of[value], NULL);
	put_number(out, metrics->shown == VALUE_WEIGHT && used[VALUE_COUNT] && used[VALUE_WEIGHT]);
}

/* The error data of value i, in the order of put_values(). */
static const struct flame_error *error_of(const struct shown_values *shown,
					  const struct flame_options *options, size_t i)
{
	const struct columns *columns = shown->columns;

	if (columns)
		return &columns->of[i].event->errors[columns->of[i].value];
	return &options->errors[shown->used[VALUE_COUNT] && !i ? VALUE_COUNT : VALUE_WEIGHT];
}

/* Number of values with error data. */
static size_t count_values(const struct shown_values *shown)
{
	if (shown->is_compared)
		return 0;
	return shown->columns ? shown->columns->nr
			      : (size_t)shown->used[VALUE_COUNT] + shown->used[VALUE_WEIGHT];
}

static void put_values(FILE *out, const struct shown_values *shown, const struct tree_stack *stack,
		       size_t index)
{
	for (size_t i = 0; shown->columns && i < shown->columns->nr; i++)
		put_number(out, shown->columns->of[i].values[index]);
	for (int value = 0; value < VALUES && !shown->columns; value++)
		if (shown->used[value])
			put_number(out, stack->values[value]);
	if (shown->is_compared)
		put_number(out, stack->values[OVERLAY_BOTH] - stack->values[OVERLAY_BASE]);
}

static void put_part(FILE *out, const struct shown_values *shown, const struct wait_part *part,
		     size_t index)
{
	for (size_t i = 0; shown->columns && i < shown->columns->nr; i++) {
		const struct flame_column *column = &shown->columns->of[i];
		const bool is_its = column->event->profile == part->profile;

		put_number(out, is_its ? part->values[column->value][index] : 0);
	}
	for (int value = 0; value < VALUES && !shown->columns; value++)
		if (shown->used[value])
			put_number(out, part->values[value][index]);
}

static void put_squares(FILE *out, const struct shown_values *shown,
			const struct flame_options *options, const struct tree_stack *stack,
			size_t index)
{
	const size_t nr_values = count_values(shown);

	for (size_t i = 0; i < nr_values; i++) {
		const double mean = error_of(shown, options, i)->mean;
		const double squares = shown->columns && mean > 0
					       ? shown->columns->of[i].squares[index]
					       : stack->squares;

		if (mean > 0)
			put_number(out, (uint64_t)llround(squares / mean));
	}
}

static void put_stacks(FILE *out, const struct tree *tree, const struct shown_values *shown,
		       const struct flame_options *options)
{
	size_t nr_stacks = tree__nr_stacks(tree), nr_items = 0;

	for (size_t i = 0; i < nr_stacks; i++)
		nr_items += tree__stack(tree, i).nr_names;
	put_number(out, nr_stacks);
	put_number(out, nr_items);
	for (size_t i = 0; i < nr_stacks; i++) {
		struct tree_stack stack = tree__stack(tree, i);

		put_number(out, stack.shared);
		put_number(out, stack.nr_names - stack.shared);
		for (uint32_t j = stack.shared; j < stack.nr_names; j++)
			put_number(out, stack.names[j]);
		put_values(out, shown, &stack, i);
		for (size_t j = 0; j < shown->parts->nr; j++)
			put_part(out, shown, &shown->parts->of[j], i);
		put_squares(out, shown, options, &stack, i);
	}
}

static void put_tones(FILE *out)
{
	put_number(out, TONES);
	for (enum tone tone = 0; tone < TONES; tone++) {
		const struct tone_style *style = tone__style(tone);

		put_string(out, style->name);
		put_string(out, style->label);
		put_number(out, style->light);
		put_number(out, style->dark);
		put_number(out, style->is_strong);
	}
}

static void put_overlay(FILE *out, const struct overlay *overlay)
{
	put_tones(out);
	for (size_t i = 0; i < overlay->nr_stacks; i++) {
		const struct overlay_stack *stack = &overlay->stacks[i];

		put_number(out, stack->tone);
		put_string(out, stack->change ? stack->change : "");
		put_string(out, stack->words ? stack->words : "");
	}
	put_number(out, overlay->nr_focuses);
	for (size_t i = 0; i < overlay->nr_focuses; i++) {
		put_number(out, overlay->focuses[i].name);
		put_number(out, overlay->focuses[i].tone);
		put_string(out, overlay->focuses[i].words);
		put_number(out, (uint64_t)llround(1000 * overlay->focuses[i].ratio));
	}
}

static void put_span(FILE *out, int64_t start_ns, uint64_t duration_ns)
{
	put_number(out, start_ns > 0 ? (uint64_t)start_ns : 0);
	put_number(out, duration_ns);
}

static void put_time_line(FILE *out, const struct flame_time_line *line)
{
	put_number(out, line ? line->nr_slices : 0);
	if (!line || !line->nr_slices)
		return;
	for (size_t i = 0; i < line->nr_slices; i++) {
		put_span(out, line->slices[i].start_ns, line->slices[i].duration_ns);
		put_number(out, line->slices[i].value);
	}
	put_span(out, line->shown_ns, line->shown_duration_ns);
	put_metric(out, line->metric, NULL);
}

/* The weight of each sample of the event if all have the same weight, else 0. */
static uint64_t common_weight(const struct heat_event *event, size_t nr_columns)
{
	const uint64_t count = profile__total(event->profile, VALUE_COUNT);
	const uint64_t weight = count ? profile__total(event->profile, VALUE_WEIGHT) / count : 0;

	for (size_t i = 0; i < nr_columns; i++)
		for (size_t j = 0; j < event->columns[i].nr; j++) {
			const uint64_t *values = event->columns[i].cells[j].values;

			if (values[VALUE_COUNT] * weight != values[VALUE_WEIGHT])
				return 0;
		}
	return weight;
}

static void put_column(FILE *out, const struct heat_column *column, bool with_weights)
{
	uint32_t next = 0;

	put_number(out, column->nr);
	for (size_t i = 0; i < column->nr; i++) {
		const struct heat_cell *cell = &column->cells[i];
		const uint64_t count = cell->values[VALUE_COUNT];

		put_number(out, 2 * (uint64_t)(cell->stack - next) + (count != 1));
		if (count != 1)
			put_number(out, count);
		if (with_weights)
			put_number(out, cell->values[VALUE_WEIGHT]);
		next = cell->stack + 1;
	}
}

static void put_heat(FILE *out, const struct heat *heat, const struct shown_values *shown)
{
	put_number(out, heat->nr_columns);
	if (!heat->nr_columns)
		return;
	put_number(out, heat->column_ns);
	put_span(out, heat->recording->start_realtime_ns, heat->recording->cut_ns);
	put_number(out, heat->recording->duration_ns);
	put_number(out, heat->recording->whole_system ? heat->recording->nr_cpus : 0);
	for (size_t i = 0; shown->columns && i < shown->columns->nr; i++) {
		const struct flame_column *column = &shown->columns->of[i];
		size_t event = 0;

		while (event + 1 < heat->nr_events &&
		       heat->events[event].profile != column->event->profile)
			event++;
		put_number(out, event);
		put_number(out, column->value == VALUE_WEIGHT);
	}
	for (int value = 0; value < VALUES && !shown->columns; value++)
		if (shown->used[value]) {
			put_number(out, 0);
			put_number(out, value == VALUE_WEIGHT);
		}
	put_tones(out);
	put_number(out, heat->nr_events);
	for (size_t i = 0; i < heat->nr_events; i++) {
		const uint64_t weight = common_weight(&heat->events[i], heat->nr_columns);

		put_number(out, weight);
		for (size_t j = 0; j < heat->nr_columns; j++)
			put_column(out, &heat->events[i].columns[j], !weight);
	}
}

static void put_errors(FILE *out, const struct shown_values *shown,
		       const struct flame_options *options)
{
	const size_t nr_values = count_values(shown);

	put_number(out, nr_values);
	for (size_t i = 0; i < nr_values; i++) {
		const struct flame_error *error = error_of(shown, options, i);

		put_number(out, (uint64_t)llround(error->samples));
		put_number(out, (uint64_t)llround(1000 * error->spread));
		put_number(out, (uint64_t)llround(error->mean));
	}
}

void flame_data__write(FILE *out, const struct flame_data *data)
{
	const struct flame_options *options = data->options;
	const struct wait_parts *parts = data->parts;
	struct shown_values shown = {data->columns, parts, {true, true}, data->overlay};
	size_t nr_values, nr_weighed = 0;

	put_string(out, options->title ? options->title : "Flame graph");
	put_facts(out, options->facts, options->nr_facts);
	put_number(out, FRAME_KINDS + 1);
	for (int kind = 0; kind < FRAME_KINDS; kind++)
		put_string(out, frame_kind__name(kind));
	put_string(out, "process");
	put_metrics(out, data->tree, &shown);
	put_names(out, data->tree);

	put_number(out, parts->nr);
	for (size_t i = 0; i < parts->nr; i++) {
		const uint32_t wait = parts->of[i].wait;
		const struct state_style *style = state__style(wait__state(wait));

		put_string(out, style->label);
		put_string(out, wait_kind__name(wait__kind(wait)));
		put_number(out, style->hue);
		put_number(out, style->chroma);
	}

	/* The values whose stacks have squares. */
	nr_values = count_values(&shown);
	for (size_t i = 0; i < nr_values; i++)
		nr_weighed += error_of(&shown, options, i)->mean > 0;
	put_number(out, nr_weighed);
	for (size_t i = 0; i < nr_values; i++)
		if (error_of(&shown, options, i)->mean > 0)
			put_number(out, i);

	put_stacks(out, data->tree, &shown, options);
	if (data->overlay)
		put_overlay(out, data->overlay);
	else
		put_number(out, 0);
	put_errors(out, &shown, options);
	put_time_line(out, options->time_line);
	put_heat(out, data->heat, &shown);
}
