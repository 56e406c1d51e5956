// SPDX-License-Identifier: GPL-2.0-only
/*
 *	    %  SAMPLES  COMMAND       STACK, leaf ← callers
 *	 34.2      169  redis-server
 *	        do_syscall_64 [k]
 *	        epoll_wait (libc.so.6)
 *	        main (redis-server)
 *
 * Rows of waits have more columns (views/wait_columns.h). Waits for work are one line before all
 * others.
 */

#include "profile/select/idle_waits.h"
#include "views/name.h"
#include "views/tables.h"
#include "views/wait_columns.h"

#define COMM_HEADING "COMMAND"
#define GAP	     2
#define FRAME_INDENT 8

static const struct process *process_of(const struct table *table, const struct row *row)
{
	return dictionary__process(profile__dictionary(table->profile), row->process);
}

/* The name of the thread if threads are told apart; else of the process. */
static const char *name_of(const struct table *table, const struct row *row)
{
	return table->options->merge == MERGE_BY_THREAD && row->thread
		       ? row->thread
		       : process_of(table, row)->comm;
}

static uint64_t value_of(const struct table *table, const struct row *row)
{
	return row->values[profile__metrics(table->profile)->shown];
}

/* The rows of the table of stacks, and their widths. */
struct stack_rows {
	struct row *rows;
	size_t nr_rows;
	size_t nr_shown; /* the first so many rows */
	enum tie *ties;	 /* of shown rows; or NULL */
	uint64_t rest;	 /* sums of the rows that are not shown */
	double rest_squares;
	size_t comm_columns;
	struct wait_columns waits;
	struct row idle; /* the sum of all waits for work */
	size_t nr_idle;	 /* number of their stacks */
};

static void write_stacks_heading(struct table *table, const struct stack_rows *stacks)
{
	const char *value = table__heading(table);
	struct pen *pen = &table->pen;
	size_t comm_column;

	pen__format(pen, STYLE_DIM, "%5s", "%");
	table__write_error_heading(table);
	table__write_tie(table, NULL, 0);
	pen__format(pen, STYLE_DIM, "  %*s  ", (int)table->value_columns, value);
	wait_columns__write_heading(&stacks->waits, pen);
	if (table->options->pids)
		pen__format(pen, STYLE_DIM, "%7s  ", "PID");
	if (table->options->pids && table->options->merge == MERGE_BY_THREAD)
		pen__format(pen, STYLE_DIM, "%7s  ", "TID");
	comm_column = pen->column;
	pen__text(pen, STYLE_DIM, COMM_HEADING);
	pen__pad(pen, STYLE_PLAIN, comm_column + stacks->comm_columns + GAP);
	pen__text(pen, STYLE_DIM, "STACK, leaf ← callers");
	pen__end_line(pen);
}

static void write_frame(struct table *table, uint32_t id)
{
	const struct dictionary *dictionary = profile__dictionary(table->profile);
	const struct frame *frame = dictionary__frame(dictionary, id);
	bool with_line = table->options->lines && frame->file;

	pen__pad(&table->pen, STYLE_PLAIN, FRAME_INDENT);
	name__write(&table->pen, dictionary__frame_name(dictionary, id),
		    with_line ? NULL : frame->module, frame__shown_kind(frame));
	if (with_line) {
		const char *slash = strrchr(frame->file, '/');

		pen__text(&table->pen, STYLE_DIM, " (");
		pen__text(&table->pen, STYLE_DIM, slash && slash[1] ? slash + 1 : frame->file);
		if (frame->line)
			pen__format(&table->pen, STYLE_DIM, ":%" PRIu32, frame->line);
		pen__text(&table->pen, STYLE_DIM, ")");
	}
	pen__end_line(&table->pen);
}

/* row: a row of the table, or `stacks->idle`, the sum of waits for work. */
static void write_values(struct table *table, const struct stack_rows *stacks,
			 const struct row *row)
{
	const bool is_shown = row != &stacks->idle;
	char value[32];

	metric__format(table->metric, value_of(table, row), value, sizeof(value));
	pen__format(&table->pen, STYLE_BOLD, "%5.1f", table__percent(table, value_of(table, row)));
	table__write_error(table, (struct portion){(double)value_of(table, row), row->squares});
	table__write_tie(table, is_shown ? stacks->ties : NULL,
			 is_shown ? (size_t)(row - stacks->rows) : 0);
	pen__format(&table->pen, STYLE_PLAIN, "  %*s  ", (int)table->value_columns, value);
	wait_columns__write(&stacks->waits, &table->pen, row);
}

static void write_stack(struct table *table, const struct stack_rows *stacks, const struct row *row)
{
	size_t nr_frames;
	const uint32_t *frames =
		dictionary__stack(profile__dictionary(table->profile), row->stack, &nr_frames);

	write_values(table, stacks, row);
	if (table->options->pids)
		pen__format(&table->pen, STYLE_PLAIN, "%7" PRId32 "  ",
			    process_of(table, row)->pid);
	if (table->options->pids && table->options->merge == MERGE_BY_THREAD)
		pen__format(&table->pen, STYLE_PLAIN, "%7" PRId32 "  ", row->tid);
	pen__text(&table->pen, STYLE_PLAIN, name_of(table, row));
	pen__end_line(&table->pen);
	for (size_t i = 0; i < nr_frames; i++)
		write_frame(table, frames[i]);
	if (!nr_frames) {
		pen__pad(&table->pen, STYLE_PLAIN, FRAME_INDENT);
		pen__text(&table->pen, STYLE_DIM, "[no stack]");
		pen__end_line(&table->pen);
	}
	pen__end_line(&table->pen);
}

/*
 * Writes "93.0  26.4 s  12  2.2 s  poll  waiting for work, in 3 stacks: --all-waits shows them".
 */
static void write_idle(struct table *table, const struct stack_rows *stacks)
{
	char count[32];

	if (!stacks->nr_idle)
		return;
	text__format_count(count, sizeof(count), stacks->nr_idle);
	write_values(table, stacks, &stacks->idle);
	pen__text(&table->pen, STYLE_BOLD, "waiting for work");
	pen__format(&table->pen, STYLE_DIM, ", in %s stack%s: --all-waits shows %s", count,
		    text__plural(stacks->nr_idle), stacks->nr_idle == 1 ? "it" : "them");
	pen__end_line(&table->pen);
	pen__end_line(&table->pen);
}

/*
 * Writes a line on the rows that are not shown:
 * "10.3       12  12 more stacks, 9 of them with 1 sample".
 */
static void write_rest(struct table *table, const struct stack_rows *stacks)
{
	const size_t nr_rest = stacks->nr_rows - stacks->nr_shown;
	char value[32], count[32];
	size_t nr_single = 0;

	if (!table->options->nr_rows || !nr_rest)
		return;
	for (size_t i = stacks->nr_shown; i < stacks->nr_rows; i++)
		nr_single += value_of(table, &stacks->rows[i]) == 1;
	metric__format(table->metric, stacks->rest, value, sizeof(value));
	text__format_count(count, sizeof(count), nr_rest);
	pen__format(&table->pen, STYLE_DIM, "%5.1f", table__percent(table, stacks->rest));
	table__write_error(table, (struct portion){(double)stacks->rest, stacks->rest_squares});
	table__write_tie(table, NULL, 0);
	pen__format(&table->pen, STYLE_DIM, "  %*s  %s more stack%s", (int)table->value_columns,
		    value, count, text__plural(nr_rest));
	text__format_count(count, sizeof(count), nr_single);
	if (table->metric->is_events && nr_single)
		pen__format(&table->pen, STYLE_DIM, ", %s of them with 1 sample", count);
	pen__end_line(&table->pen);
	pen__end_line(&table->pen);
}

/* ---- the rows of a table ---- */

static void find_rows(const struct table *table, struct stack_rows *stacks)
{
	const enum merge merge = table->options->merge;
	struct profile *idle = NULL, *others = NULL;
	struct row *rows;

	if (!table->options->all_waits)
		profile__part_idle_waits(table->profile, table->duration_ns, &idle, &others);
	if (idle) {
		stacks->nr_idle = (size_t)profile__top_stacks(idle, merge, &rows);
		/* The wait is that of the hottest stack. */
		stacks->idle.wait = stacks->nr_idle ? rows[0].wait : 0;
		for (int value = 0; value < VALUES; value++)
			stacks->idle.values[value] = profile__total(idle, (enum value)value);
		stacks->idle.squares = profile__squares(idle);
		for (size_t i = 0; i < stacks->nr_idle; i++)
			stacks->idle.by_state[WAIT_WOKEN] = sum_of(
				stacks->idle.by_state[WAIT_WOKEN], rows[i].by_state[WAIT_WOKEN]);
		free(rows);
	}
	stacks->nr_rows =
		(size_t)profile__top_stacks(others ? others : table->profile, merge, &stacks->rows);
	profile__free(idle);
	profile__free(others);
}

static void fit_row(struct table *table, struct stack_rows *stacks, const struct row *row)
{
	table__fit(table, value_of(table, row));
	wait_columns__fit(&stacks->waits, row);
}

/*
 * Sets the number of shown rows and the widths. The last rows may have no value of the shown
 * metric; they are dropped.
 */
static void choose_rows(struct table *table, struct stack_rows *stacks)
{
	const size_t most = table->options->nr_rows;

	while (stacks->nr_rows && !value_of(table, &stacks->rows[stacks->nr_rows - 1]))
		stacks->nr_rows--;
	stacks->comm_columns = strlen(COMM_HEADING);
	table->value_columns = text__width(table__heading(table));
	if (stacks->nr_idle)
		fit_row(table, stacks, &stacks->idle);
	for (; stacks->nr_shown < stacks->nr_rows && stacks->nr_shown < most; stacks->nr_shown++) {
		const struct row *row = &stacks->rows[stacks->nr_shown];
		const size_t width = text__width(name_of(table, row));

		if (table__percent(table, value_of(table, row)) < table->options->percent_limit)
			break;
		fit_row(table, stacks, row);
		if (width > stacks->comm_columns)
			stacks->comm_columns = width;
	}
	for (size_t i = stacks->nr_shown; i < stacks->nr_rows; i++) {
		stacks->rest += value_of(table, &stacks->rows[i]);
		stacks->rest_squares += stacks->rows[i].squares;
	}
	table__fit(table, stacks->rest);
}

void table__write_stacks(struct table *table)
{
	struct stack_rows stacks = {.waits = wait_columns__of(table->profile)};
	struct portion *parts;

	find_rows(table, &stacks);
	choose_rows(table, &stacks);
	parts = xcalloc(stacks.nr_shown + 1, sizeof(*parts));
	for (size_t i = 0; i < stacks.nr_shown; i++)
		parts[i] = (struct portion){(double)value_of(table, &stacks.rows[i]),
					    stacks.rows[i].squares};
	stacks.ties = table__find_ties(table, parts, stacks.nr_shown);
	free(parts);
	if (stacks.nr_idle || (stacks.nr_rows && table->options->nr_rows))
		write_stacks_heading(table, &stacks);
	write_idle(table, &stacks);
	for (size_t i = 0; i < stacks.nr_shown; i++)
		write_stack(table, &stacks, &stacks.rows[i]);
	write_rest(table, &stacks);
	free(stacks.ties);
	free(stacks.rows);
}
