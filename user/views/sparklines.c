// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions over time, a line each, which is as high as a share of its own most:
 *
 *	SELF %  OVER TIME: 100 ms a column    FUNCTION
 *	 100.0  ▇▇▇█▇▇▇▇▇▇▇▇▇█▇▇▇▇▇▇▇▇▇▇▇▇  all
 *	  31.5  ▁▁▁▁▁▁▁▁█████████▇▇▇███▁▁▁  spin (shares)
 *
 * A blank is a time without any; where nothing was recorded there is "·".
 */
#include "views/sparklines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "views/name.h"

#define NR_FUNCTIONS  10
#define MOST_COLUMNS  60
#define LEAST_COLUMNS 20
#define NAME_COLUMNS  40 /* of a bounded line, for the name */

struct spark {
	const struct group_row *function; /* NULL: all */
	double values[MOST_COLUMNS];
};

struct sparklines {
	struct table *table;
	const struct recording *recording;
	size_t nr_columns, nr_sparks;
	struct spark sparks[NR_FUNCTIONS + 1];
	bool is_gap[MOST_COLUMNS];
	int64_t begin_ns;
	uint64_t column_ns;
};

static bool is_same(const struct group_row *a, const struct group_row *b)
{
	return a->kind == b->kind && !strcmp(a->name, b->name) &&
	       !strcmp(a->module ? a->module : "", b->module ? b->module : "");
}

static struct spark *find_spark(struct sparklines *lines, const struct group_row *function)
{
	for (size_t i = 1; i < lines->nr_sparks; i++)
		if (is_same(lines->sparks[i].function, function))
			return &lines->sparks[i];
	return NULL;
}

/* A slice that is longer than a column is as high in all that it reaches into. */
struct reach {
	size_t first, last; /* columns */
};

static void add_value(struct spark *spark, struct reach span, uint64_t value)
{
	for (size_t i = span.first; i <= span.last; i++)
		spark->values[i] += (double)value / (double)(span.last - span.first + 1);
}

static int add_slice(struct sparklines *lines, const struct profile *slice, struct reach span)
{
	struct group_row *groups;
	const long nr = profile__group(slice, GROUP_BY_FUNCTION, SORT_BY_SELF, &groups);

	if (nr < 0)
		return (int)nr;
	add_value(&lines->sparks[0], span, profile__shown_total(slice));
	for (long i = 0; i < nr && groups[i].self; i++) {
		struct spark *spark = find_spark(lines, &groups[i]);

		if (spark)
			add_value(spark, span, groups[i].self);
	}
	free(groups);
	return 0;
}

static size_t column_of(const struct sparklines *lines, int64_t then_ns)
{
	const size_t column = (size_t)((uint64_t)(then_ns - lines->begin_ns) / lines->column_ns);

	return column < lines->nr_columns ? column : lines->nr_columns - 1;
}

static int add_slices(struct sparklines *lines)
{
	const struct recording *recording = lines->recording;
	const size_t nr = recording__nr_pieces(recording);
	int code = 0;

	for (size_t i = 0; i < nr && !code; i++) {
		const struct slice_time time = recording__slice_time(recording, i);
		const int64_t last_ns = time.start_realtime_ns + (int64_t)time.duration_ns - 1;
		const struct reach span = {column_of(lines, time.start_realtime_ns),
					   column_of(lines, last_ns)};

		for (size_t j = span.first; j <= span.last; j++)
			lines->is_gap[j] = false;
		if (i < recording->nr_slices && recording->slices[i])
			code = add_slice(lines, recording->slices[i], span);
	}
	return code;
}

/* As many columns as there are slices, if there is room; else several slices share one. */
static void plan_columns(struct sparklines *lines)
{
	const struct recording *recording = lines->recording;
	const struct pen *pen = &lines->table->pen;
	const size_t nr = recording__nr_pieces(recording);
	const struct slice_time last = recording__slice_time(recording, nr - 1);
	size_t room = MOST_COLUMNS;
	uint64_t length_ns;

	lines->begin_ns = recording__slice_time(recording, 0).start_realtime_ns;
	length_ns = (uint64_t)(last.start_realtime_ns - lines->begin_ns) + last.duration_ns;
	if (pen__is_bounded(pen) && pen->end < room + NAME_COLUMNS)
		room = pen->end > LEAST_COLUMNS + NAME_COLUMNS ? pen->end - NAME_COLUMNS
							       : LEAST_COLUMNS;
	lines->nr_columns = nr < room ? nr : room;
	if (recording->slice_times) /* they may be far apart */
		lines->nr_columns = room;
	else if (nr > room) /* all columns of as many slices */
		lines->nr_columns = (nr + (nr + room - 1) / room - 1) / ((nr + room - 1) / room);
	lines->column_ns = recording->slice_times ? length_ns / lines->nr_columns + 1
						  : (nr + lines->nr_columns - 1) /
							    lines->nr_columns * recording->slice_ns;
	if (!lines->column_ns)
		lines->column_ns = 1;
	memset(lines->is_gap, true, sizeof(lines->is_gap));
}

static void write_spark(struct sparklines *lines, const struct spark *spark)
{
	static const char *const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	struct pen *pen = &lines->table->pen;
	double most = 0;

	for (size_t i = 0; i < lines->nr_columns; i++)
		most = spark->values[i] > most ? spark->values[i] : most;
	for (size_t i = 0; i < lines->nr_columns; i++) {
		const double value = spark->values[i];
		const size_t bar = value > 0 ? 1 + (size_t)(value / most * 7 + 0.5) : 0;

		pen__text(pen, STYLE_SPARK, lines->is_gap[i] ? "·" : bars[bar]);
	}
}

static void write_line(struct sparklines *lines, const struct spark *spark)
{
	struct table *table = lines->table;
	const uint64_t self = spark->function ? spark->function->self
					      : profile__shown_total(lines->recording->profile);

	pen__format(&table->pen, STYLE_BOLD, "%6.1f  ", table__percent(table, self));
	write_spark(lines, spark);
	pen__text(&table->pen, STYLE_PLAIN, "  ");
	if (spark->function)
		name__write(&table->pen, spark->function->name, spark->function->module,
			    spark->function->kind);
	else
		pen__text(&table->pen, STYLE_PLAIN, "all");
	pen__end_line(&table->pen);
}

static void write_heading(struct sparklines *lines)
{
	struct pen *pen = &lines->table->pen;
	char length[32];
	size_t end;

	text__format_duration(length, sizeof(length), lines->column_ns);
	pen__end_line(pen);
	pen__text(pen, STYLE_DIM, "SELF %  ");
	end = pen->column + lines->nr_columns;
	pen__format(pen, STYLE_DIM, "OVER TIME (%s EACH)", length);
	pen__pad(pen, STYLE_DIM, end);
	pen__text(pen, STYLE_DIM, "  FUNCTION");
	pen__end_line(pen);
}

static int fill_sparks(struct sparklines *lines, const struct group_row *functions, long nr)
{
	for (long i = 0; i < nr && lines->nr_sparks <= NR_FUNCTIONS && functions[i].self; i++)
		lines->sparks[lines->nr_sparks++].function = &functions[i];
	plan_columns(lines);
	return add_slices(lines);
}

int view__write_sparklines(struct table *table, const struct recording *recording)
{
	struct sparklines lines = {.table = table, .recording = recording, .nr_sparks = 1};
	struct group_row *functions;
	const long nr =
		profile__group(recording->profile, GROUP_BY_FUNCTION, SORT_BY_SELF, &functions);
	int code = nr < 0 ? (int)nr : 0;

	if (code)
		return code;
	code = fill_sparks(&lines, functions, nr);
	if (!code && nr)
		write_heading(&lines);
	for (size_t i = 0; i < lines.nr_sparks && !code && nr; i++)
		write_line(&lines, &lines.sparks[i]);
	free(functions);
	return code;
}
