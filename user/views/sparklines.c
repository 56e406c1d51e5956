// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions over time, a line each. Bars are relative to the line's own maximum:
 *
 *	SELF %  OVER TIME: 100 ms a column    FUNCTION
 *	 100.0  ▇▇▇█▇▇▇▇▇▇▇▇▇█▇▇▇▇▇▇▇▇▇▇▇▇  all
 *	  31.5  ▁▁▁▁▁▁▁▁█████████▇▇▇███▁▁▁  spin (shares)
 *
 * A blank is a time without samples of the function; "·" is a time without a recording.
 */
#include "views/sparklines.h"

#include "views/name.h"

#define NR_FUNCTIONS  10
#define MOST_COLUMNS  60
#define LEAST_COLUMNS 20
#define NAME_COLUMNS  40	   /* of a bounded line, for the name */
#define MOST_NS	      (1ULL << 62) /* limit of times, which files may set to anything */

struct spark {
	const struct group_row *function; /* NULL: all samples */
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

static struct spark *find_spark(struct sparklines *lines, const struct group_row *function)
{
	for (size_t i = 1; i < lines->nr_sparks; i++) {
		const struct group_row *known = lines->sparks[i].function;

		if (known->kind == function->kind && !strcmp(known->name, function->name) &&
		    !strcmp(known->module ? known->module : "",
			    function->module ? function->module : ""))
			return &lines->sparks[i];
	}
	return NULL;
}

/* A time with a recording, relative to the first column. */
struct stretch {
	uint64_t from_ns, end_ns;
};

static uint64_t bound(uint64_t time_ns)
{
	return time_ns < MOST_NS ? time_ns : MOST_NS;
}

static struct stretch stretch_of(const struct sparklines *lines, size_t piece)
{
	const struct slice_time time = recording__slice_time(lines->recording, piece);
	const uint64_t from_ns =
		bound((uint64_t)time.start_realtime_ns - (uint64_t)lines->begin_ns);

	return (struct stretch){from_ns, from_ns + bound(time.duration_ns ? time.duration_ns : 1)};
}

/*
 * Adds a slice's value to its columns, in proportion to the time: the times within a slice are not
 * known.
 */
static void add_value(struct sparklines *lines, struct spark *spark, struct stretch stretch,
		      uint64_t value)
{
	const uint64_t length_ns = stretch.end_ns - stretch.from_ns;

	for (size_t i = stretch.from_ns / lines->column_ns; i * lines->column_ns < stretch.end_ns;
	     i++) {
		const uint64_t from_ns = i * lines->column_ns, end_ns = from_ns + lines->column_ns;
		const uint64_t first_ns = stretch.from_ns > from_ns ? stretch.from_ns : from_ns;
		const uint64_t last_ns = stretch.end_ns < end_ns ? stretch.end_ns : end_ns;
		const double part = (double)(last_ns - first_ns) / (double)length_ns;

		spark->values[i] += (double)value * part;
	}
}

static void add_slices(struct sparklines *lines)
{
	const struct recording *recording = lines->recording;
	const size_t nr_pieces = recording__nr_pieces(recording);

	for (size_t i = 0; i < nr_pieces; i++) {
		const struct stretch stretch = stretch_of(lines, i);
		const struct profile *slice =
			i < recording->nr_slices ? recording->slices[i] : NULL;
		struct group_row *groups;
		long nr;

		for (size_t j = stretch.from_ns / lines->column_ns;
		     j * lines->column_ns < stretch.end_ns; j++)
			lines->is_gap[j] = false;
		if (!slice)
			continue;
		nr = profile__group(slice, GROUP_BY_FUNCTION, SORT_BY_SELF, &groups);
		add_value(lines, &lines->sparks[0], stretch, profile__shown_total(slice));
		for (long j = 0; j < nr && groups[j].self; j++) {
			struct spark *spark = find_spark(lines, &groups[j]);

			if (spark)
				add_value(lines, spark, stretch, groups[j].self);
		}
		free(groups);
	}
}

static int by_length(const void *left, const void *right)
{
	const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static uint64_t divide_up(uint64_t number, uint64_t by)
{
	return number / by + (number % by != 0);
}

/*
 * Sets the time of a column: as many whole slices as it takes for all columns to fit. A slice has
 * the median length, as the last one of a file may be short.
 */
static void plan_columns(struct sparklines *lines)
{
	const struct recording *recording = lines->recording;
	const struct pen *pen = &lines->table->pen;
	const size_t nr = recording__nr_pieces(recording);
	uint64_t *lengths = xcalloc(nr + 1, sizeof(*lengths)), length_ns = 0, slice_ns;
	size_t most = MOST_COLUMNS;

	for (size_t i = 0; i < nr; i++)
		lengths[i] = recording__slice_time(recording, i).duration_ns;
	qsort(lengths, nr, sizeof(*lengths), by_length);
	slice_ns = bound(lengths[nr / 2] ? lengths[nr / 2] : 1);
	free(lengths);

	lines->begin_ns = recording__slice_time(recording, 0).start_realtime_ns;
	for (size_t i = 0; i < nr; i++) {
		const struct stretch stretch = stretch_of(lines, i);

		length_ns = stretch.end_ns > length_ns ? stretch.end_ns : length_ns;
	}
	if (pen__is_bounded(pen) && pen->end < MOST_COLUMNS + NAME_COLUMNS)
		most = pen->end > LEAST_COLUMNS + NAME_COLUMNS ? pen->end - NAME_COLUMNS
							       : LEAST_COLUMNS;
	lines->column_ns = divide_up(length_ns, most);
	lines->column_ns = divide_up(lines->column_ns, slice_ns) * slice_ns;
	lines->nr_columns = divide_up(length_ns, lines->column_ns);
	memset(lines->is_gap, true, sizeof(lines->is_gap));
}

static void write_line(struct sparklines *lines, const struct spark *spark)
{
	static const char *const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	struct table *table = lines->table;
	const uint64_t self = spark->function ? spark->function->self
					      : profile__shown_total(lines->recording->profile);
	double most = 0;

	pen__format(&table->pen, STYLE_BOLD, "%6.1f  ", table__percent(table, self));
	for (size_t i = 0; i < lines->nr_columns; i++)
		most = spark->values[i] > most ? spark->values[i] : most;
	for (size_t i = 0; i < lines->nr_columns; i++) {
		const double value = spark->values[i];
		const size_t bar = value > 0 ? 1 + (size_t)(value / most * 7 + 0.5) : 0;

		pen__text(&table->pen, STYLE_SPARK, lines->is_gap[i] ? "·" : bars[bar]);
	}
	pen__text(&table->pen, STYLE_PLAIN, "  ");
	if (spark->function)
		name__write(&table->pen, spark->function->name, spark->function->module,
			    spark->function->kind);
	else
		pen__text(&table->pen, STYLE_PLAIN, "all");
	pen__end_line(&table->pen);
}

void view__write_sparklines(struct table *table, const struct recording *recording)
{
	struct sparklines lines = {.table = table, .recording = recording, .nr_sparks = 1};
	struct group_row *functions;
	const long nr =
		profile__group(recording->profile, GROUP_BY_FUNCTION, SORT_BY_SELF, &functions);

	for (long i = 0; i < nr && lines.nr_sparks <= NR_FUNCTIONS && functions[i].self; i++)
		lines.sparks[lines.nr_sparks++].function = &functions[i];
	plan_columns(&lines);
	add_slices(&lines);
	if (nr) {
		struct pen *pen = &lines.table->pen;
		char length[32];
		size_t end;

		text__format_duration(length, sizeof(length), lines.column_ns);
		pen__end_line(pen);
		pen__text(pen, STYLE_DIM, "SELF %  ");
		end = pen->column + lines.nr_columns;
		pen__format(pen, STYLE_DIM, "OVER TIME (%s EACH)", length);
		pen__pad(pen, STYLE_DIM, end);
		pen__text(pen, STYLE_DIM, "  FUNCTION");
		pen__end_line(pen);
	}
	for (size_t i = 0; i < lines.nr_sparks && nr; i++)
		write_line(&lines, &lines.sparks[i]);
	free(functions);
}
