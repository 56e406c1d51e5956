// SPDX-License-Identifier: GPL-2.0-only
/*
 * What all tables have in common, and those of groups:
 *
 *	SELF %  TOTAL %     SELF    TOTAL  FUNCTION
 *	  34.2     41.0      169      203  epoll_wait (libc.so.6)
 *
 * Percentages are of all samples of the profile, shown or not.
 */
#include "views/tables.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/numbers.h"
#include "base/text.h"
#include "views/name.h"

#define LEAST_COLUMNS 7	 /* of values in a table of groups */
#define MOST_HEADING  20 /* columns of the name of a value */

struct table table__begin(FILE *out, const struct recording *recording,
			  const struct view_options *options)
{
	const struct profile *profile = recording->profile;

	return (struct table){
		.pen = pen__on_stream(out, options->color, options->width),
		.options = options,
		.profile = profile,
		.metric = metrics__shown(profile__metrics(profile)),
		.whole = options->whole ? options->whole : profile__shown_total(profile),
		.duration_ns = recording->duration_ns,
	};
}

const char *table__heading(const struct table *table)
{
	return metric__heading(table->metric, MOST_HEADING);
}

double table__percent(const struct table *table, uint64_t value)
{
	return table->whole ? 100.0 * (double)value / (double)table->whole : 0;
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

	pen__text(pen, STYLE_DIM, "SELF %  TOTAL %  ");
	if (width)
		pen__format(pen, STYLE_DIM, "%*s  %*s  ", width, "SELF", width, "TOTAL");
	pen__text(pen, STYLE_DIM, by);
	pen__end_line(pen);
}

/* With its values, if there is room for them. */
static void write_group(struct table *table, const struct group_row *group)
{
	char self[32], total[32];
	int width = (int)table->value_columns;
	struct pen *pen = &table->pen;

	metric__format(table->metric, group->self, self, sizeof(self));
	metric__format(table->metric, group->total, total, sizeof(total));
	pen__format(pen, STYLE_BOLD, "%6.1f", table__percent(table, group->self));
	pen__format(pen, STYLE_PLAIN, "%9.1f  ", table__percent(table, group->total));
	if (width)
		pen__format(pen, STYLE_PLAIN, "%*s  %*s  ", width, self, width, total);
	name__write(pen, group->name, group->module, group->kind);
	if (table->options->command_lines)
		name__write_arguments(pen, group->process);
	pen__end_line(pen);
}

int table__write_functions(struct table *table)
{
	struct group_row *groups;
	long nr = profile__group(table->profile, GROUP_BY_FUNCTION, SORT_BY_SELF, &groups);

	if (nr < 0)
		return (int)nr;
	table->value_columns = 0;
	if (nr)
		write_groups_heading(table, "FUNCTION");
	for (size_t i = 0; i < (size_t)nr && i < table->options->nr_rows; i++)
		if (table__percent(table, groups[i].total) >= table->options->percent_limit)
			write_group(table, &groups[i]);
	if (nr)
		pen__end_line(&table->pen);
	free(groups);
	return 0;
}

int view__write_groups(FILE *out, const struct recording *recording,
		       const struct view_options *options, const struct group_row *groups,
		       size_t nr_groups, const char *by)
{
	struct table table = table__begin(out, recording, options);
	size_t nr_shown = 0;
	char text[32];

	table.value_columns = LEAST_COLUMNS;
	for (size_t i = 0; i < nr_groups; i++)
		table__fit(&table, groups[i].total);
	write_groups_heading(&table, by);
	for (size_t i = 0; i < nr_groups && nr_shown < options->nr_rows; i++) {
		if (table__percent(&table, groups[i].total) < options->percent_limit)
			continue;
		write_group(&table, &groups[i]);
		nr_shown++;
	}
	if (nr_shown < nr_groups) {
		text__format_count(text, sizeof(text), nr_groups - nr_shown);
		pen__format(&table.pen, STYLE_DIM, "%s more", text);
		pen__end_line(&table.pen);
	}
	return text__stream_error(out);
}
