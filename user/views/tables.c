// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code that all tables share, and tables of groups:
 *
 *	SELF % ±       TOTAL % ±       SELF    TOTAL  FUNCTION
 *	  34.2 ±4.3       41.0 ±4.5      169      203  epoll_wait (libc.so.6)
 *
 * Percentages are of all samples of the profile, shown or not.
 */
#include "views/tables.h"

#include <math.h>

#include "views/name.h"
#include "views/wait_columns.h"

#define LEAST_COLUMNS 7	 /* least width of values in tables of groups */
#define MOST_HEADING  20 /* most columns of a metric's name in headings */
#define LEAST_WIDTH   72 /* least width of lines with error bars */

void table__begin(struct table *table, FILE *out, const struct recording *recording,
		  const struct view_options *options)
{
	const struct profile *profile = recording->profile;
	const bool has_room = !options->width || options->width >= LEAST_WIDTH;

	*table = (struct table){
		.pen = pen__on_stream(out, options->color, options->width),
		.options = options,
		.profile = profile,
		.metric = metrics__shown(profile__metrics(profile)),
		.whole = options->whole ? options->whole : profile__shown_total(profile),
		.duration_ns = recording->duration_ns,
	};
	if (options->errors == ERRORS_ALWAYS || (options->errors == ERRORS_AUTO && has_room)) {
		certainty__init(&table->certainty, recording, options->whole);
		table->has_errors = !table->certainty.lack;
	}
}

const char *table__heading(const struct table *table)
{
	return metric__heading(table->metric, MOST_HEADING);
}

double table__percent(const struct table *table, uint64_t value)
{
	return table->whole ? 100.0 * (double)value / (double)table->whole : 0;
}

/* An error of 0.0 would look like certainty. */
double table__error(const struct table *table, struct portion part)
{
	return fmax(100 * certainty__error(&table->certainty, part), 0.1);
}

void table__write_error(struct table *table, struct portion part)
{
	if (table->has_errors)
		pen__format(&table->pen, STYLE_DIM, " ±%-4.1f", table__error(table, part));
}

void table__write_error_heading(struct table *table)
{
	if (table->has_errors)
		pen__text(&table->pen, STYLE_DIM, " ±    ");
}

enum tie *table__find_ties(const struct table *table, const struct portion *parts, size_t nr)
{
	enum tie *ties = table->has_errors ? xcalloc(nr + 1, sizeof(*ties)) : NULL;

	if (ties)
		certainty__tie(&table->certainty, parts, nr, ties);
	return ties;
}

void table__write_tie(struct table *table, const enum tie *ties, size_t row)
{
	static const char *const marks[] = {
		[TIE_NONE] = "  ", [TIE_FIRST] = "┐ ", [TIE_MIDDLE] = "│ ", [TIE_LAST] = "┘ "};

	if (table->has_errors)
		pen__text(&table->pen, STYLE_DIM, marks[ties ? ties[row] : TIE_NONE]);
}

void table__fit(struct table *table, uint64_t value)
{
	char text[32];
	size_t columns = (size_t)metric__format(table->metric, value, text, sizeof(text));

	if (columns > table->value_columns)
		table->value_columns = columns;
}

/* ---- groups ---- */

static void write_groups_heading(struct table *table, const char *by)
{
	int width = (int)table->value_columns;
	struct pen *pen = &table->pen;

	pen__text(pen, STYLE_DIM, "SELF %");
	table__write_error_heading(table);
	table__write_tie(table, NULL, 0);
	pen__text(pen, STYLE_DIM, "  TOTAL %");
	table__write_error_heading(table);
	pen__text(pen, STYLE_DIM, "  ");
	if (width)
		pen__format(pen, STYLE_DIM, "%*s  %*s  ", width, "SELF", width, "TOTAL");
	if (table->tells_woken)
		pen__format(pen, STYLE_DIM, "%*s  ", width, "WOKEN");
	pen__text(pen, STYLE_DIM, by);
	pen__end_line(pen);
}

/* The groups of a table that are shown. */
struct group_rows {
	const struct group_row **groups;
	size_t nr;
	enum tie *ties; /* or NULL */
};

/* Writes a group, with its values if they have a column. */
static void write_group(struct table *table, const struct group_rows *rows, size_t row)
{
	const struct group_row *group = rows->groups[row];
	char self[32], total[32], woken[32] = "";
	int width = (int)table->value_columns;
	struct pen *pen = &table->pen;

	if (group->woken)
		metric__format(table->metric, group->woken, woken, sizeof(woken));
	metric__format(table->metric, group->self, self, sizeof(self));
	metric__format(table->metric, group->total, total, sizeof(total));
	pen__format(pen, STYLE_BOLD, "%6.1f", table__percent(table, group->self));
	table__write_error(table, self_part(group));
	table__write_tie(table, rows->ties, row);
	pen__format(pen, STYLE_PLAIN, "%9.1f", table__percent(table, group->total));
	table__write_error(table, total_part(group));
	pen__text(pen, STYLE_PLAIN, "  ");
	if (width)
		pen__format(pen, STYLE_PLAIN, "%*s  %*s  ", width, self, width, total);
	if (table->tells_woken)
		pen__format(pen, STYLE_PLAIN, "%*s  ", width, woken);
	name__write(pen, group->name, group->module, group->kind);
	if (table->options->command_lines)
		name__write_arguments(pen, group->process);
	pen__end_line(pen);
}

/* Writes the groups. Returns the number of rows. */
static size_t write_groups(struct table *table, const struct group_row *groups, size_t nr_groups)
{
	struct group_rows rows = {.groups = xcalloc(nr_groups + 1, sizeof(*rows.groups))};
	struct portion *parts = xcalloc(nr_groups + 1, sizeof(*parts));
	bool is_sorted = true;

	for (size_t i = 0; i < nr_groups && rows.nr < table->options->nr_rows; i++)
		if (groups[i].total &&
		    table__percent(table, groups[i].total) >= table->options->percent_limit)
			rows.groups[rows.nr++] = &groups[i];
	for (size_t i = 0; i < rows.nr; i++) {
		parts[i] = self_part(rows.groups[i]);
		is_sorted = is_sorted && (!i || parts[i].value <= parts[i - 1].value);
	}
	/* Ties need values of disjoint samples, as self values are: rows are then sorted by self. */
	if (is_sorted)
		rows.ties = table__find_ties(table, parts, rows.nr);
	for (size_t i = 0; i < rows.nr; i++)
		write_group(table, &rows, i);
	free(parts);
	free(rows.ties);
	free(rows.groups);
	return rows.nr;
}

void table__write_functions(struct table *table)
{
	struct group_row *groups;
	const size_t most = table->options->nr_rows;
	const long nr = profile__group(table->profile, GROUP_BY_FUNCTION, SORT_BY_SELF, &groups);

	table->value_columns = 0;
	if (nr) {
		write_groups_heading(table, "FUNCTION");
		write_groups(table, groups, (size_t)nr < most ? (size_t)nr : most);
		pen__end_line(&table->pen);
	}
	free(groups);
}

int view__write_groups(FILE *out, const struct recording *recording,
		       const struct view_options *options, const struct group_row *groups,
		       size_t nr_groups, const char *by)
{
	struct table table;
	size_t nr_shown, nr_with_value = 0;
	char text[32];

	table__begin(&table, out, recording, options);
	table.value_columns = LEAST_COLUMNS;
	for (size_t i = 0; i < nr_groups; i++) {
		table__fit(&table, groups[i].total);
		table.tells_woken = table.tells_woken ||
				    wait_columns__tells_woken(groups[i].woken, groups[i].self);
		nr_with_value += groups[i].total > 0;
	}
	write_groups_heading(&table, by);
	nr_shown = write_groups(&table, groups, nr_groups);
	if (nr_shown < nr_with_value) {
		text__format_count(text, sizeof(text), nr_with_value - nr_shown);
		pen__format(&table.pen, STYLE_DIM, "%s more", text);
		pen__end_line(&table.pen);
	}
	return text__stream_error(out);
}
