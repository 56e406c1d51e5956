// SPDX-License-Identifier: GPL-2.0-only
/*
 * The slices of a recording in order of time; a row has so many slices that the rows suffice:
 *
 *	    %  SAMPLES  FROM      OF THE MOST           HOTTEST FUNCTION
 *	 31.5       63  2 s       ████████████████████  56 %  spin (shares)
 *
 * Percentages before the bar are of the whole recording, those behind it of the row. Slices of
 * several files have their time of day; a line marks a time without a recording.
 */
#include <time.h>

#include "views/name.h"
#include "views/sparklines.h"
#include "views/tables.h"

#define FROM_COLUMNS  11
#define CLOCK_COLUMNS 14 /* "01-31 12:34:56" */
#define TICK_COLUMNS  4	 /* ".789" */
#define BAR_COLUMNS   20
#define LEAST_COLUMNS 7
#define LEAST_GAP_NS  1000000000

/* A row: one or more consecutive slices. */
struct timeline_row {
	struct profile *samples;
	int64_t start_ns;
	uint64_t gap_ns; /* time without a recording before it */
	size_t nr_slices;
};

struct timeline {
	struct table table;
	const struct recording *recording;
	size_t slices_a_row;
	size_t from_columns;
	bool has_ticks; /* rows begin within the same second, so milliseconds are shown */
	struct timeline_row *rows;
	size_t nr_rows;
	uint64_t most;
};

static void timeline__fini(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->nr_rows; i++)
		profile__free(timeline->rows[i].samples);
	free(timeline->rows);
}

/* NULL: out of memory. */
static struct timeline_row *begin_row(struct timeline *timeline, int64_t start_ns, int64_t gap_ns)
{
	const struct profile *like = timeline->recording->profile;
	struct timeline_row *row = &timeline->rows[timeline->nr_rows];

	*row = (struct timeline_row){
		.samples = profile__new_like(like, profile__dictionary(like)),
		.start_ns = start_ns,
		.gap_ns = gap_ns >= LEAST_GAP_NS ? (uint64_t)gap_ns : 0,
	};
	timeline->nr_rows += row->samples != NULL;
	return row->samples ? row : NULL;
}

/* Adds a slice to a row. *end_ns: the end of the slice before; set to the end of this one. */
static int add_slice(struct timeline *timeline, size_t index, int64_t *end_ns)
{
	const struct slice_time time = recording__slice_time(timeline->recording, index);
	const struct profile *slice = timeline->recording->slices[index];
	const int64_t gap_ns = index ? time.start_realtime_ns - *end_ns : 0;
	struct timeline_row *row =
		timeline->nr_rows ? &timeline->rows[timeline->nr_rows - 1] : NULL;

	if (!row || row->nr_slices == timeline->slices_a_row || gap_ns >= LEAST_GAP_NS)
		row = begin_row(timeline, time.start_realtime_ns, gap_ns);
	if (!row)
		return -ENOMEM;
	row->nr_slices++;
	*end_ns = time.start_realtime_ns + (int64_t)time.duration_ns;
	return slice ? profile__merge(row->samples, slice) : 0;
}

/*
 * Chooses the clock: several files have the time of day, with milliseconds if rows begin in one
 * second.
 */
static void plan_clock(struct timeline *timeline)
{
	timeline->from_columns = FROM_COLUMNS;
	if (!timeline->recording->slice_times)
		return;
	for (size_t i = 1; i < timeline->nr_rows; i++)
		if (timeline->rows[i].start_ns / 1000000000 ==
		    timeline->rows[i - 1].start_ns / 1000000000)
			timeline->has_ticks = true;
	timeline->from_columns = CLOCK_COLUMNS + (timeline->has_ticks ? TICK_COLUMNS : 0);
}

static int timeline__init(struct timeline *timeline)
{
	size_t nr_slices = timeline->recording->nr_slices;
	size_t most_rows = timeline->table.options->nr_rows ? timeline->table.options->nr_rows : 1;
	size_t heading = text__width(table__heading(&timeline->table));
	int64_t end_ns = 0;
	int code = 0;

	timeline->table.value_columns = heading > LEAST_COLUMNS ? heading : LEAST_COLUMNS;
	timeline->slices_a_row = nr_slices / most_rows + (nr_slices % most_rows != 0);
	timeline->rows = xcalloc(nr_slices + 1, sizeof(*timeline->rows));
	for (size_t i = 0; i < nr_slices && !code; i++)
		code = add_slice(timeline, i, &end_ns);
	for (size_t i = 0; i < timeline->nr_rows && !code; i++) {
		uint64_t total = profile__shown_total(timeline->rows[i].samples);

		if (total > timeline->most)
			timeline->most = total;
		table__fit(&timeline->table, total);
	}
	plan_clock(timeline);
	return code;
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

/*
 * Writes the start of a row: "2 s" after the start of the recording; for several files "01-31
 * 12:34:56.789", in local time.
 */
static void format_start(const struct timeline *timeline, int64_t start_ns, char *text, size_t size)
{
	const struct recording *recording = timeline->recording;
	time_t seconds = (time_t)(start_ns / 1000000000);
	struct tm tm;

	if (!recording->slice_times)
		text__format_duration(text, size,
				      (uint64_t)(start_ns - recording->start_realtime_ns) +
					      recording->cut_ns);
	else if (!localtime_r(&seconds, &tm) || !strftime(text, size, "%m-%d %H:%M:%S", &tm))
		snprintf(text, size, "?");
	else if (timeline->has_ticks)
		snprintf(text + strlen(text), size - strlen(text), ".%03d",
			 (int)(start_ns % 1000000000 / 1000000));
}

static void write_gap(struct timeline *timeline, uint64_t gap_ns)
{
	char gap[32];

	if (!gap_ns)
		return;
	text__format_duration(gap, sizeof(gap), gap_ns);
	pen__format(&timeline->table.pen, STYLE_DIM, "%*s… nothing was recorded for %s",
		    (int)timeline->table.value_columns + 10, "", gap);
	pen__end_line(&timeline->table.pen);
}

static int write_row(struct timeline *timeline, const struct timeline_row *row)
{
	uint64_t total = profile__shown_total(row->samples);
	char value[32], from[32];
	int code;

	write_gap(timeline, row->gap_ns);
	metric__format(timeline->table.metric, total, value, sizeof(value));
	format_start(timeline, row->start_ns, from, sizeof(from));
	pen__format(&timeline->table.pen, STYLE_BOLD, "%6.1f",
		    table__percent(&timeline->table, total));
	pen__format(&timeline->table.pen, STYLE_PLAIN, "  %*s  %-*s  ",
		    (int)timeline->table.value_columns, value, (int)timeline->from_columns, from);
	write_bar(timeline, total);
	code = write_hottest(timeline, row->samples, total);
	pen__end_line(&timeline->table.pen);
	return code;
}

/* Writes the number of samples without a slice: the run had too many slices. */
static void write_unsliced(struct timeline *timeline)
{
	const uint64_t nr = recording__nr_unsliced(timeline->recording);
	char count[32];

	if (!nr)
		return;
	text__format_count(count, sizeof(count), nr);
	pen__format(&timeline->table.pen, STYLE_DIM, "%*s… %s samples tell no slice of time",
		    (int)timeline->table.value_columns + 10, "", count);
	pen__end_line(&timeline->table.pen);
}

int view__write_timeline(FILE *out, const struct recording *recording,
			 const struct view_options *options)
{
	struct timeline timeline = {.recording = recording};
	int code = table__begin(&timeline.table, out, recording, options);

	if (!code)
		code = timeline__init(&timeline);
	if (!code) {
		pen__format(&timeline.table.pen, STYLE_DIM,
			    "     %%  %*s  %-*s  %-*s  HOTTEST FUNCTION",
			    (int)timeline.table.value_columns, table__heading(&timeline.table),
			    (int)timeline.from_columns, "FROM", BAR_COLUMNS, "OF THE MOST");
		pen__end_line(&timeline.table.pen);
	}
	for (size_t i = 0; i < timeline.nr_rows && !code; i++)
		code = write_row(&timeline, &timeline.rows[i]);
	if (!code)
		write_unsliced(&timeline);
	if (!code && recording->nr_slices)
		code = view__write_sparklines(&timeline.table, recording);
	timeline__fini(&timeline);
	return code ? code : text__stream_error(out);
}
