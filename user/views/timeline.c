// SPDX-License-Identifier: GPL-2.0-only
/*
 * The slices of a recording, in order of time, as many to a row as the number of rows asks for:
 *
 *	    %  SAMPLES  FROM    OF THE MOST           HOTTEST FUNCTION
 *	 31.5       63  2 s     ████████████████████  56 %  spin (shares)
 *
 * Percentages before the bar are of the whole recording, those behind it of the row.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/numbers.h"
#include "base/text.h"
#include "views/name.h"
#include "views/tables.h"

#define FROM_COLUMNS  8
#define BAR_COLUMNS   20
#define LEAST_COLUMNS 7

struct timeline {
	struct table table;
	const struct recording *recording;
	size_t slices_a_row;
	size_t nr_rows;
	struct profile **rows;
	uint64_t most;
};

static void timeline__fini(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->nr_rows; i++)
		profile__free(timeline->rows[i]);
	free(timeline->rows);
}

static int add_slice(struct timeline *timeline, size_t index)
{
	struct profile **row = &timeline->rows[index / timeline->slices_a_row];
	const struct profile *slice = timeline->recording->slices[index];

	if (!*row)
		*row = profile__new_like(timeline->recording->profile,
					 profile__dictionary(timeline->recording->profile));
	if (!*row)
		return -ENOMEM;
	return slice ? profile__merge(*row, slice) : 0;
}

static void measure_row(struct timeline *timeline, const struct profile *row)
{
	uint64_t total = profile__shown_total(row);

	if (total > timeline->most)
		timeline->most = total;
	table__fit(&timeline->table, total);
}

static int timeline__init(struct timeline *timeline)
{
	size_t nr_slices = timeline->recording->nr_slices;
	size_t most_rows = timeline->table.options->nr_rows ? timeline->table.options->nr_rows : 1;
	size_t heading = text__width(metric__heading(timeline->table.metric));
	int code = 0;

	timeline->table.value_columns = heading > LEAST_COLUMNS ? heading : LEAST_COLUMNS;
	timeline->slices_a_row = nr_slices / most_rows + (nr_slices % most_rows != 0);
	if (!timeline->slices_a_row)
		timeline->slices_a_row = 1;
	timeline->nr_rows = (nr_slices + timeline->slices_a_row - 1) / timeline->slices_a_row;
	timeline->rows = calloc(timeline->nr_rows + 1, sizeof(*timeline->rows));
	if (!timeline->rows) {
		timeline->nr_rows = 0;
		return -ENOMEM;
	}
	for (size_t i = 0; i < nr_slices && !code; i++)
		code = add_slice(timeline, i);
	for (size_t i = 0; i < timeline->nr_rows && !code; i++)
		measure_row(timeline, timeline->rows[i]);
	return code;
}

static void write_heading(struct timeline *timeline)
{
	pen__format(&timeline->table.pen, STYLE_DIM, "     %%  %*s  %-*s%-*s  HOTTEST FUNCTION",
		    (int)timeline->table.value_columns, metric__heading(timeline->table.metric),
		    FROM_COLUMNS, "FROM", BAR_COLUMNS, "OF THE MOST");
	pen__end_line(&timeline->table.pen);
}

static void write_bar(struct timeline *timeline, uint64_t total)
{
	size_t length =
		timeline->most
			? (size_t)((double)total / (double)timeline->most * BAR_COLUMNS + 0.5)
			: 0;
	size_t end = timeline->table.pen.column + BAR_COLUMNS + 2;

	for (size_t i = 0; i < length; i++)
		pen__text(&timeline->table.pen, STYLE_PLAIN, "█");
	pen__pad(&timeline->table.pen, STYLE_PLAIN, end);
}

static int write_hottest(struct timeline *timeline, const struct profile *row, uint64_t total)
{
	struct group_row *groups;
	long nr_groups = profile__group(row, GROUP_BY_FUNCTION, SORT_BY_SELF, &groups);

	if (nr_groups < 0)
		return (int)nr_groups;
	if (nr_groups && total) {
		pen__format(&timeline->table.pen, STYLE_DIM, "%3.0f %%  ",
			    100.0 * (double)groups[0].self / (double)total);
		name__write(&timeline->table.pen, groups[0].name, groups[0].module, groups[0].kind);
	}
	free(groups);
	return 0;
}

static int write_row(struct timeline *timeline, size_t index)
{
	const struct profile *row = timeline->rows[index];
	uint64_t total = profile__shown_total(row);
	char value[32], from[32];
	int code;

	metric__format(timeline->table.metric, total, value, sizeof(value));
	text__format_duration(from, sizeof(from),
			      index * timeline->slices_a_row * timeline->recording->slice_ns);
	pen__format(&timeline->table.pen, STYLE_BOLD, "%6.1f",
		    table__percent(&timeline->table, total));
	pen__format(&timeline->table.pen, STYLE_PLAIN, "  %*s  %-*s",
		    (int)timeline->table.value_columns, value, FROM_COLUMNS, from);
	write_bar(timeline, total);
	code = write_hottest(timeline, row, total);
	pen__end_line(&timeline->table.pen);
	return code;
}

int view__write_timeline(FILE *out, const struct recording *recording,
			 const struct view_options *options)
{
	struct timeline timeline = {
		.table = table__begin(out, recording, options),
		.recording = recording,
	};
	int code = timeline__init(&timeline);

	if (!code)
		write_heading(&timeline);
	for (size_t i = 0; i < timeline.nr_rows && !code; i++)
		code = write_row(&timeline, i);
	timeline__fini(&timeline);
	return code ? code : text__stream_error(out);
}
