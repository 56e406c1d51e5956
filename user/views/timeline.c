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

/* Adds a slice to a row. *end_ns: the end of the slice before; set to the end of this one. */
static void add_slice(struct timeline *timeline, size_t index, int64_t *end_ns)
{
	const struct slice_time time = recording__slice_time(timeline->recording, index);
	const struct profile *slice = timeline->recording->slices[index];
	const struct profile *like = timeline->recording->profile;
	const int64_t gap_ns = index ? time.start_realtime_ns - *end_ns : 0;
	struct timeline_row *row =
		timeline->nr_rows ? &timeline->rows[timeline->nr_rows - 1] : NULL;

	if (!row || row->nr_slices == timeline->slices_a_row || gap_ns >= LEAST_GAP_NS) {
		row = &timeline->rows[timeline->nr_rows++];
		*row = (struct timeline_row){
			.samples = profile__new_like(like, profile__dictionary(like)),
			.start_ns = time.start_realtime_ns,
			.gap_ns = gap_ns >= LEAST_GAP_NS ? (uint64_t)gap_ns : 0,
		};
	}
	row->nr_slices++;
	*end_ns = time.start_realtime_ns + (int64_t)time.duration_ns;
	if (slice)
		profile__merge(row->samples, slice);
}

static void timeline__init(struct timeline *timeline)
{
	const size_t nr_slices = timeline->recording->nr_slices;
	const size_t nr_rows = timeline->table.options->nr_rows;
	const size_t most_rows = nr_rows ? nr_rows : 1;
	const size_t heading = text__width(table__heading(&timeline->table));
	int64_t end_ns = 0;

	timeline->table.value_columns = heading > LEAST_COLUMNS ? heading : LEAST_COLUMNS;
	timeline->slices_a_row = nr_slices / most_rows + (nr_slices % most_rows != 0);
	timeline->rows = xcalloc(nr_slices + 1, sizeof(*timeline->rows));
	for (size_t i = 0; i < nr_slices; i++)
		add_slice(timeline, i, &end_ns);
	for (size_t i = 0; i < timeline->nr_rows; i++) {
		const uint64_t total = profile__shown_total(timeline->rows[i].samples);

		if (total > timeline->most)
			timeline->most = total;
		table__fit(&timeline->table, total);
	}

	/* Several files have the time of day, with milliseconds if rows begin in one second. */
	timeline->from_columns = FROM_COLUMNS;
	if (!timeline->recording->slice_times)
		return;
	for (size_t i = 1; i < timeline->nr_rows; i++)
		if (timeline->rows[i].start_ns / 1000000000 ==
		    timeline->rows[i - 1].start_ns / 1000000000)
			timeline->has_ticks = true;
	timeline->from_columns = CLOCK_COLUMNS + (timeline->has_ticks ? TICK_COLUMNS : 0);
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

static void write_row(struct timeline *timeline, const struct timeline_row *row)
{
	const uint64_t total = profile__shown_total(row->samples);
	struct pen *pen = &timeline->table.pen;
	char gap[32], value[32], from[32];
	struct group_row *groups;

	if (row->gap_ns) {
		text__format_duration(gap, sizeof(gap), row->gap_ns);
		pen__format(pen, STYLE_DIM, "%*s… nothing was recorded for %s",
			    (int)timeline->table.value_columns + 10, "", gap);
		pen__end_line(pen);
	}
	metric__format(timeline->table.metric, total, value, sizeof(value));
	format_start(timeline, row->start_ns, from, sizeof(from));
	pen__format(pen, STYLE_BOLD, "%6.1f", table__percent(&timeline->table, total));
	pen__format(pen, STYLE_PLAIN, "  %*s  %-*s  ", (int)timeline->table.value_columns, value,
		    (int)timeline->from_columns, from);
	write_bar(timeline, total);
	if (profile__group(row->samples, GROUP_BY_FUNCTION, SORT_BY_SELF, &groups) && total) {
		pen__format(pen, STYLE_DIM, "%3.0f %%  ",
			    100.0 * (double)groups[0].self / (double)total);
		name__write(pen, groups[0].name, groups[0].module, groups[0].kind);
	}
	free(groups);
	pen__end_line(pen);
}

int view__write_timeline(FILE *out, const struct recording *recording,
			 const struct view_options *options)
{
	struct timeline timeline = {.recording = recording};
	const uint64_t nr_unsliced = recording__nr_unsliced(recording);
	struct pen *pen = &timeline.table.pen;
	char count[32];

	table__begin(&timeline.table, out, recording, options);
	timeline__init(&timeline);
	pen__format(pen, STYLE_DIM, "     %%  %*s  %-*s  %-*s  HOTTEST FUNCTION",
		    (int)timeline.table.value_columns, table__heading(&timeline.table),
		    (int)timeline.from_columns, "FROM", BAR_COLUMNS, "OF THE MOST");
	pen__end_line(pen);
	for (size_t i = 0; i < timeline.nr_rows; i++)
		write_row(&timeline, &timeline.rows[i]);
	if (nr_unsliced) { /* the run had too many slices */
		text__format_count(count, sizeof(count), nr_unsliced);
		pen__format(pen, STYLE_DIM, "%*s… %s samples tell no slice of time",
			    (int)timeline.table.value_columns + 10, "", count);
		pen__end_line(pen);
	}
	if (recording->nr_slices)
		view__write_sparklines(&timeline.table, recording);
	for (size_t i = 0; i < timeline.nr_rows; i++)
		profile__free(timeline.rows[i].samples);
	free(timeline.rows);
	return text__stream_error(out);
}
