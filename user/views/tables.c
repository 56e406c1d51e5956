// SPDX-License-Identifier: GPL-2.0-only
/*
 *	    %  SAMPLES  COMMAND       STACK, leaf ← callers
 *	 34.2      169  redis-server
 *	        do_syscall_64 [k]
 *	        epoll_wait (libc.so.6)
 *	        main (redis-server)
 *
 *	SELF %  TOTAL %  FUNCTION
 *	  34.2     41.0  epoll_wait (libc.so.6)
 *
 * Percentages are of all samples of the profile, shown or not.
 */
#include "views/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "views/name.h"

#define ARROW " ← "

#define COMM_HEADING "COMMAND"
#define GAP	     2
#define FRAME_INDENT 8

static size_t max_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

static const char *comm_of(const struct tables *tables, const struct row *row)
{
	return dictionary__process(tables->dictionary, row->process)->comm;
}

static const char *count_heading(const struct tables *tables)
{
	return metric__heading(metrics__shown(tables->metrics));
}

static uint64_t value_of(const struct tables *tables, const struct row *row)
{
	return row->values[tables->metrics->shown];
}

static int format_count(const struct tables *tables, const struct row *row, char *text, size_t size)
{
	return metric__format(metrics__shown(tables->metrics), value_of(tables, row), text, size);
}

static void fit_columns(struct tables *tables)
{
	char count[32];

	tables->count_columns = text__width(count_heading(tables));
	tables->comm_columns = strlen(COMM_HEADING);
	for (size_t i = 0; i < tables->nr_rows; i++) {
		const struct row *row = &tables->rows[i];
		int length = format_count(tables, row, count, sizeof(count));

		tables->count_columns = max_size(tables->count_columns, (size_t)length);
		tables->comm_columns =
			max_size(tables->comm_columns, text__width(comm_of(tables, row)));
	}
}

static double percent(const struct tables *tables, uint64_t count)
{
	uint64_t whole = tables->options.whole ? tables->options.whole : tables->total;

	return whole ? 100.0 * (double)count / (double)whole : 0;
}

/* Of the rows, which are sorted, those that reach the limit. */
static size_t count_above(const struct tables *tables, size_t nr_rows)
{
	size_t nr = 0;

	while (nr < nr_rows && percent(tables, value_of(tables, &tables->rows[nr])) >=
				       tables->options.percent_limit)
		nr++;
	return nr;
}

int tables__init(struct tables *tables, const struct recording *interval,
		 const struct view_options *options, size_t nr_functions)
{
	const struct profile *profile = interval->profile;
	long nr;

	*tables = (struct tables){.dictionary = profile__dictionary(profile),
				  .metrics = profile__metrics(profile),
				  .options = *options,
				  .total = profile__shown_total(profile)};
	nr = profile__top_stacks(profile, options->merge, options->nr_rows, &tables->rows);
	if (nr < 0)
		return (int)nr;
	tables->nr_rows = count_above(tables, (size_t)nr);
	nr = profile__group(profile, GROUP_BY_FUNCTION, SORT_BY_SELF, &tables->functions);
	if (nr < 0) {
		tables__fini(tables);
		return (int)nr;
	}
	tables->nr_functions = (size_t)nr < nr_functions ? (size_t)nr : nr_functions;
	fit_columns(tables);
	return 0;
}

void tables__fini(struct tables *tables)
{
	free(tables->rows);
	free(tables->functions);
	tables->rows = NULL;
	tables->functions = NULL;
}

/* ---- frames ---- */

/* "scan (lexer.c:123)": its directories are left to other outputs. */
static void write_line(struct pen *pen, const struct frame *frame)
{
	const char *slash = strrchr(frame->file, '/');

	pen__text(pen, STYLE_DIM, " (");
	pen__text(pen, STYLE_DIM, slash && slash[1] ? slash + 1 : frame->file);
	if (frame->line)
		pen__format(pen, STYLE_DIM, ":%" PRIu32, frame->line);
	pen__text(pen, STYLE_DIM, ")");
}

static const uint32_t *frames_of(const struct tables *tables, size_t row, size_t *nr_frames)
{
	return dictionary__stack(tables->dictionary, tables->rows[row].stack, nr_frames);
}

/* With a line for "[no stack]". */
static size_t count_lines(const struct tables *tables, size_t row)
{
	size_t nr_frames;

	frames_of(tables, row, &nr_frames);
	return nr_frames ? nr_frames : 1;
}

static void write_frame(const struct tables *tables, struct pen *pen, size_t row, size_t index)
{
	size_t nr_frames;
	const uint32_t *frames = frames_of(tables, row, &nr_frames);
	const struct frame *frame;
	bool with_line;

	if (!nr_frames) {
		pen__text(pen, STYLE_DIM, "[no stack]");
		return;
	}
	frame = dictionary__frame(tables->dictionary, frames[index]);
	with_line = tables->options.lines && frame->file;
	name__write(pen, dictionary__frame_name(tables->dictionary, frames[index]),
		    with_line ? NULL : frame->module, frame__shown_kind(frame));
	if (with_line)
		write_line(pen, frame);
}

/* ---- the table of stacks ---- */

static void write_ids(const struct tables *tables, struct pen *pen, const struct row *row)
{
	const struct process *process = dictionary__process(tables->dictionary, row->process);

	if (!tables->options.pids)
		return;
	pen__format(pen, STYLE_PLAIN, "%7" PRId32 "  ", process->pid);
	if (tables->options.merge == MERGE_BY_THREAD)
		pen__format(pen, STYLE_PLAIN, "%7" PRId32 "  ", row->tid);
}

static void write_stacks_heading(const struct tables *tables, struct pen *pen)
{
	size_t comm_column;

	pen__format(pen, STYLE_DIM, "%5s  %*s  ", "%", (int)tables->count_columns,
		    count_heading(tables));
	if (tables->options.pids)
		pen__format(pen, STYLE_DIM, "%7s  ", "PID");
	if (tables->options.pids && tables->options.merge == MERGE_BY_THREAD)
		pen__format(pen, STYLE_DIM, "%7s  ", "TID");
	comm_column = pen->column;
	pen__text(pen, STYLE_DIM, COMM_HEADING);
	pen__pad(pen, STYLE_PLAIN, comm_column + tables->comm_columns + GAP);
	pen__text(pen, STYLE_DIM, "STACK, leaf" ARROW "callers");
	pen__end_line(pen);
}

static void write_numbers(const struct tables *tables, struct pen *pen, const struct row *row)
{
	char count[32];

	format_count(tables, row, count, sizeof(count));
	pen__format(pen, STYLE_BOLD, "%5.1f", percent(tables, value_of(tables, row)));
	pen__format(pen, STYLE_PLAIN, "  %*s  ", (int)tables->count_columns, count);
	write_ids(tables, pen, row);
}

static void write_stack(const struct tables *tables, struct pen *pen, size_t row)
{
	size_t nr_lines = count_lines(tables, row);

	write_numbers(tables, pen, &tables->rows[row]);
	pen__text(pen, STYLE_PLAIN, comm_of(tables, &tables->rows[row]));
	pen__end_line(pen);
	for (size_t i = 0; i < nr_lines; i++) {
		pen__pad(pen, STYLE_PLAIN, FRAME_INDENT);
		write_frame(tables, pen, row, i);
		pen__end_line(pen);
	}
	pen__end_line(pen);
}

void tables__write_stacks(const struct tables *tables, struct pen *pen)
{
	if (tables->nr_rows)
		write_stacks_heading(tables, pen);
	for (size_t row = 0; row < tables->nr_rows; row++)
		write_stack(tables, pen, row);
}

/* ---- the table of functions ---- */

static void write_function(const struct tables *tables, struct pen *pen,
			   const struct group_row *row)
{
	pen__format(pen, STYLE_BOLD, "%6.1f", percent(tables, row->self));
	pen__format(pen, STYLE_PLAIN, "%9.1f  ", percent(tables, row->total));
	name__write(pen, row->name, row->module, row->kind);
	pen__end_line(pen);
}

void tables__write_functions(const struct tables *tables, struct pen *pen)
{
	if (!tables->nr_functions)
		return;
	pen__text(pen, STYLE_DIM, "SELF %  TOTAL %  FUNCTION");
	pen__end_line(pen);
	for (size_t row = 0; row < tables->nr_functions; row++)
		write_function(tables, pen, &tables->functions[row]);
	pen__end_line(pen);
}
