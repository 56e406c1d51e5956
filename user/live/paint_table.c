// SPDX-License-Identifier: GPL-2.0-only
/*
 *	     %  SAMPLES  CHANGE  PAST          COMMAND       STACK, leaf ← callers
 *	  34.2      169    +3.1  ▃▃▄▅▅▆▅▇      redis-server  epoll_wait ← aeApiPoll ← aeMain
 *
 *	SELF %  TOTAL %  CHANGE  PAST          FUNCTION
 *	  34.2     41.0     new  ▃▃▄▅▅▆▅▇      epoll_wait (libc.so.6)
 *
 * Waits have a bar of states after PAST: BBBBWP means that most of it was blocked.
 */
#include "live/paint.h"

#include <ctype.h>
#include <math.h>

#include "flame/colors.h"
#include "live/branches.h"
#include "live/errors.h"
#include "live/stack_line.h"
#include "views/name.h"
#include "views/pen.h"

#define DOWN_ARROW    " → "
#define LEAST_NAME    8
#define MOST_NAME     32
#define COMM_COLUMNS  15
#define SPARK_FROM    66 /* columns of the table: narrower ones have no sparklines */
#define LONG_FROM     110
#define SHORT_SPARK   6
#define LONG_BAR      10
#define SHORT_BAR     6
#define VALUE_COLUMNS 9
#define VALUE_HEADING 7	   /* width of the heading above values */
#define LEAST_BUSY    0.05 /* of a CPU: a sparkline's full height is at least this much */

struct painted_table {
	struct canvas *canvas;
	const struct pane *pane;
	const struct live *live;
	const struct dictionary *dictionary;
	size_t nr_value; /* width of a value, including the gap before it */
	size_t nr_sparks, nr_comm;
	bool has_errors;
	size_t nr_states; /* cells in the bar of states; 0: no states are known */
};

static const struct metric *shown_metric(const struct painted_table *table)
{
	return metrics__shown(profile__metrics(table->live->profile));
}

/* ---- columns of all views ---- */

static void paint_change(const struct painted_table *table, struct pen *pen,
			 const struct live_row *row)
{
	double percent;
	bool is_noise;

	if (!live__change(table->live, row, &percent, &is_noise)) {
		pen__text(pen, STYLE_DIM, "        ");
	} else if (!live__is_comparing(table->live) && live__is_new(table->live, row->id)) {
		pen__text(pen, STYLE_NEW, "     new");
	} else if (fabs(percent) < 0.05) {
		pen__text(pen, STYLE_DIM, "       ·");
	} else {
		pen__format(pen,
			    is_noise	  ? STYLE_DIM
			    : percent > 0 ? STYLE_UP
					  : STYLE_DOWN,
			    "%+8.1f", percent);
	}
}

static void paint_spark(const struct painted_table *table, struct pen *pen,
			const struct live_row *row)
{
	static const char *const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	double busy[MOST_PAST], most = LEAST_BUSY;
	size_t nr = live__spark(table->live, row->id, busy), first;

	for (size_t i = 0; i < nr; i++)
		most = busy[i] > most ? busy[i] : most;
	first = nr > table->nr_sparks ? nr - table->nr_sparks : 0;
	pen__pad(pen, STYLE_PLAIN, pen->column + table->nr_sparks - (nr - first));
	for (size_t i = first; i < nr; i++) {
		size_t height = (size_t)ceil(8 * busy[i] / most);

		pen__text(pen, STYLE_SPARK, bars[height > 8 ? 8 : height]);
	}
}

/* Each state has a letter and a colour, so that it is readable without colours. */
static void paint_states(const struct painted_table *table, struct pen *pen,
			 const struct live_row *row)
{
	static const enum style styles[WAIT_STATES] = {
		[WAIT_RUNNING] = STYLE_FLAME,	    [WAIT_INTERRUPTIBLE] = STYLE_FLAME_KERNEL,
		[WAIT_PREEMPTED] = STYLE_FLAME + 2, [WAIT_WOKEN] = STYLE_FLAME_KERNEL + 3,
		[WAIT_THROTTLED] = STYLE_FLAME + 1, [WAIT_STOPPED] = STYLE_DIM,
	};
	const struct live *live = table->live;
	enum wait_state bar[LONG_BAR];

	states__bar(&live->states, row->id, row__value(row, &live->selection), bar,
		    table->nr_states);
	for (size_t i = 0; i < table->nr_states; i++) {
		const char *label = state__style(bar[i])->label;

		pen__format(pen, styles[bar[i]], "%c", *label ? toupper(*label) : ' ');
	}
	if (table->nr_states)
		pen__text(pen, STYLE_PLAIN, "  ");
}

static void paint_past(const struct painted_table *table, struct pen *pen,
		       const struct live_row *row)
{
	paint_change(table, pen, row);
	if (!table->nr_sparks) {
		pen__text(pen, STYLE_PLAIN, "  ");
		return;
	}
	pen__text(pen, STYLE_PLAIN, "  ");
	paint_spark(table, pen, row);
	pen__text(pen, STYLE_PLAIN, "  ");
	paint_states(table, pen, row);
}

static void paint_percent(const struct painted_table *table, struct pen *pen, enum style style,
			  int width, uint64_t value)
{
	pen__format(pen, style, "%*.1f", width, live__percent(table->live, value));
}

#define ERROR_COLUMNS 6
#define TIE_COLUMNS   2

static struct portion row_self(const struct live_row *row)
{
	return (struct portion){(double)row->self, row->self_squares};
}

static struct portion row_total(const struct live_row *row)
{
	return (struct portion){(double)row->total, row->total_squares};
}

/*
 * " ±3.5 ", if error bars are shown. At least 0.1, so that a small error does not look like
 * certainty.
 */
static void paint_error(const struct painted_table *table, struct pen *pen, struct portion part)
{
	if (table->has_errors)
		pen__format(pen, STYLE_DIM, " ±%-4.1f",
			    fmax(100 * certainty__error(&table->live->certainty, part), 0.1));
}

/* A bracket around rows that cannot be distinguished. */
static void paint_tie(const struct painted_table *table, struct pen *pen,
		      const struct live_row *row)
{
	static const char *const marks[] = {
		[TIE_NONE] = "  ", [TIE_FIRST] = "┐ ", [TIE_MIDDLE] = "│ ", [TIE_LAST] = "┘ "};
	const enum tie *ties = table->live->ties;

	if (table->has_errors)
		pen__text(pen, STYLE_DIM, marks[ties ? ties[row - table->live->rows] : TIE_NONE]);
}

static void format_value(const struct painted_table *table, const struct live_row *row, char *text,
			 size_t size)
{
	metric__format(shown_metric(table),
		       (uint64_t)llround((double)row->total / table->live->unit), text, size);
}

/* The share and the value. */
static void paint_value(const struct painted_table *table, struct pen *pen,
			const struct live_row *row)
{
	char value[32];

	format_value(table, row, value, sizeof(value));
	paint_percent(table, pen, STYLE_BOLD, 6, row->total);
	paint_error(table, pen, row_total(row));
	paint_tie(table, pen, row);
	pen__format(pen, STYLE_PLAIN, "%*s", (int)table->nr_value, value);
}

/* ---- stacks ---- */

static void paint_owner(const struct painted_table *table, struct pen *pen,
			const struct live_row *row)
{
	const struct process *process = dictionary__process(table->dictionary, row->process);
	size_t start = pen->column;
	struct pen part = *pen;

	if (pen->column + table->nr_comm < pen->end)
		part.end = pen->column + table->nr_comm;
	if (table->live->selection.merge == MERGE_BY_THREAD)
		pen__format(&part, STYLE_PLAIN, "%" PRId32 "/%" PRId32 " ", process->pid, row->tid);
	else if (table->live->selection.merge == MERGE_BY_PROCESS)
		pen__format(&part, STYLE_PLAIN, "%" PRId32 " ", process->pid);
	pen__text(&part, STYLE_PLAIN, process->comm);
	pen->column = part.column;
	pen__pad(pen, STYLE_PLAIN, start + table->nr_comm + 2);
}

/* Finds the frame in which the row differs from the others of its command on the screen. */
static size_t find_difference(const struct painted_table *table, const struct stack_line *line,
			      const struct live_row *row)
{
	const struct live *live = table->live;
	const char *comm = dictionary__process(table->dictionary, row->process)->comm;
	size_t differs = 0;

	for (size_t i = live->top; i < live->nr_rows && i < live->top + live->nr_lines; i++) {
		const struct live_row *other = &live->rows[i];
		const uint32_t *frames;
		size_t nr_frames, nr;

		if (other == row || other->nr_folded ||
		    strcmp(dictionary__process(table->dictionary, other->process)->comm, comm) != 0)
			continue;
		frames = dictionary__stack(table->dictionary, other->stack, &nr_frames);
		nr = stack_line__nr_common(line, frames, nr_frames);
		if (nr > differs && nr < line->nr_frames)
			differs = nr;
	}
	return differs;
}

static void paint_stack_row(const struct painted_table *table, struct pen *pen,
			    const struct live_row *row)
{
	const size_t third = (table->pane->stop - table->pane->start) / 3;
	struct stack_line line = {.dictionary = table->dictionary,
				  .most_name = third > MOST_NAME ? third : MOST_NAME};

	paint_value(table, pen, row);
	paint_past(table, pen, row);
	paint_owner(table, pen, row);
	line.frames = dictionary__stack(table->dictionary, row->stack, &line.nr_frames);
	line.differs = find_difference(table, &line, row);
	if (line.nr_frames)
		stack_line__paint(&line, pen);
	else
		pen__text(pen, STYLE_DIM, "[no stack]");
}

/* ---- the other views ---- */

static void paint_group_row(const struct painted_table *table, struct pen *pen,
			    const struct live_row *row)
{
	bool by_total = table->live->selection.by_total;

	paint_percent(table, pen, by_total ? STYLE_PLAIN : STYLE_BOLD, 6, row->self);
	paint_error(table, pen, row_self(row));
	paint_tie(table, pen, row);
	paint_percent(table, pen, by_total ? STYLE_BOLD : STYLE_PLAIN, 9, row->total);
	paint_error(table, pen, row_total(row));
	paint_past(table, pen, row);
	name__write(pen, row->name, row->module,
		    table->live->selection.view == VIEW_FUNCTIONS ? row->kind : FRAME_USER);
}

static void paint_process_row(const struct painted_table *table, struct pen *pen,
			      const struct live_row *row)
{
	paint_value(table, pen, row);
	paint_past(table, pen, row);
	pen__text(pen, STYLE_PLAIN, row->name);
	if (table->live->selection.owners != MERGE_BY_COMM)
		name__write_arguments(pen, row->owner);
}

/* The names of a chain, with arrows between them. */
static void paint_chain(const struct painted_table *table, struct pen *pen,
			const struct live_row *row)
{
	struct tree_node node = row->node;
	const struct tree_name *name = tree__name(table->live->tree, node.name);

	for (;;) {
		if (name->process)
			pen__text(pen, STYLE_BOLD, name->text);
		else
			name__write(pen, name->text, NULL, name->kind);
		if (!branch__next_node(table->live->tree, row, &node))
			return;
		if (pen__left(pen) < strlen(DOWN_ARROW) + LEAST_NAME) {
			pen__text(pen, STYLE_DIM, " …");
			return;
		}
		pen__text(pen, STYLE_DIM, DOWN_ARROW);
		name = tree__name(table->live->tree, node.name);
	}
}

static void paint_tree_row(const struct painted_table *table, struct pen *pen,
			   const struct live_row *row)
{
	size_t indent = 2 * (size_t)row->indent, most = pen__left(pen) / 3;

	paint_percent(table, pen, STYLE_BOLD, 7, row->total);
	paint_error(table, pen, row_total(row));
	paint_percent(table, pen, STYLE_PLAIN, 8, row->self);
	paint_error(table, pen, row_self(row));
	paint_past(table, pen, row);
	pen__pad(pen, STYLE_PLAIN, pen->column + (indent < most ? indent : most));
	pen__text(pen, STYLE_DIM, !row->has_children ? "  " : row->is_folded ? "+ " : "- ");
	paint_chain(table, pen, row);
}

/* ---- the table ---- */

/* Leaves space above error bars and brackets. */
static void paint_percent_heading(const struct painted_table *table, struct pen *pen)
{
	static const struct {
		const char *first, *second; /* NULL: none */
		bool has_ties;
	} headings[] = {
		[VIEW_STACKS] = {"     %", NULL, true},
		[VIEW_FUNCTIONS] = {"SELF %", "  TOTAL %", true},
		[VIEW_TREE] = {"TOTAL %", "  SELF %", false},
		[VIEW_PROCESSES] = {"     %", NULL, true},
		[VIEW_MODULES] = {"SELF %", "  TOTAL %", true},
	};
	const enum view view = table->live->selection.view;
	const size_t errors = table->has_errors ? ERROR_COLUMNS : 0;
	const size_t ties = table->has_errors && headings[view].has_ties ? TIE_COLUMNS : 0;

	pen__text(pen, STYLE_HEADING, headings[view].first);
	pen__text(pen, STYLE_HEADING, errors ? " ±" : "");
	pen__pad(pen, STYLE_HEADING,
		 table->pane->start + strlen(headings[view].first) + errors + ties);
	if (!headings[view].second)
		return;
	pen__text(pen, STYLE_HEADING, headings[view].second);
	pen__text(pen, STYLE_HEADING, errors ? " ±    " : "");
}

static void paint_heading(const struct painted_table *table)
{
	static const char *const owners[] = {[MERGE_BY_COMM] = "COMMAND",
					     [MERGE_BY_PROCESS] = "PROCESS",
					     [MERGE_BY_THREAD] = "THREAD"};
	const char *const names[] = {
		[VIEW_STACKS] = "STACK, leaf ← callers",
		[VIEW_FUNCTIONS] = "FUNCTION",
		[VIEW_TREE] = "CALLS",
		[VIEW_PROCESSES] = owners[table->live->selection.owners],
		[VIEW_MODULES] = "MODULE",
	};
	const struct pane *pane = table->pane;
	enum view view = table->live->selection.view;
	struct pen pen = pen__on_canvas(table->canvas, pane->first, pane->start, pane->stop);

	paint_percent_heading(table, &pen);
	if (view == VIEW_STACKS || view == VIEW_PROCESSES)
		pen__format(&pen, STYLE_HEADING, "%*.7s", (int)table->nr_value,
			    metric__heading(shown_metric(table), VALUE_HEADING));
	pen__text(&pen, STYLE_HEADING, "  CHANGE  ");
	if (table->nr_sparks)
		pen__format(&pen, STYLE_HEADING, "%-*s", (int)table->nr_sparks + 2, "PAST");
	if (table->nr_states)
		pen__format(&pen, STYLE_HEADING, "%-*s", (int)table->nr_states + 2, "STATES");
	if (view == VIEW_STACKS)
		pen__format(&pen, STYLE_HEADING, "%-*s  ", (int)table->nr_comm, "COMMAND");
	pen__text(&pen, STYLE_HEADING, names[view]);
	if (pen__left(&pen) > 36)
		pen__format(&pen, STYLE_HEADING, "%*s", (int)pen__left(&pen),
			    "rows move beyond noise; s sorts ");
	pen__pad(&pen, STYLE_HEADING, pane->stop);
}

/* The width of PAST and STATES, including the gaps around them. */
static size_t past_columns(const struct painted_table *table)
{
	const size_t states = table->nr_states ? table->nr_states + 2 : 0;

	return (table->nr_sparks ? table->nr_sparks + 4 : 2) + states;
}

/* "+ 112 stacks with 1 sample each" */
static void paint_noise_row(const struct painted_table *table, struct pen *pen,
			    const struct live_row *row)
{
	static const char *const nouns[VIEWS] = {
		[VIEW_STACKS] = "stacks",
		[VIEW_FUNCTIONS] = "functions",
		[VIEW_MODULES] = "modules",
	};
	static const char *const owners[] = {[MERGE_BY_COMM] = "commands",
					     [MERGE_BY_PROCESS] = "processes",
					     [MERGE_BY_THREAD] = "threads"};
	const struct live *live = table->live;
	const enum view view = live->selection.view;
	const char *noun = view == VIEW_PROCESSES ? owners[live->selection.owners] : nouns[view];

	paint_percent(table, pen, STYLE_BOLD, 6, row->self);
	paint_error(table, pen, row_self(row));
	paint_tie(table, pen, row);
	pen__pad(pen, STYLE_PLAIN, pen->column + table->nr_value + 8 + past_columns(table));
	pen__format(pen, STYLE_DIM, "%s %zu %s with %s1 sample each", row->is_folded ? "+" : "-",
		    row->nr_folded, noun, live->mode == MODE_DECAYED ? "at most " : "");
}

/* "+ waiting for work, in 8 stacks" */
static void paint_idle_row(const struct painted_table *table, struct pen *pen,
			   const struct live_row *row)
{
	paint_value(table, pen, row);
	pen__pad(pen, STYLE_PLAIN, pen->column + 8 + past_columns(table));
	pen__text(pen, STYLE_DIM, row->is_folded ? "+ " : "- ");
	pen__text(pen, STYLE_BOLD, row->name);
	pen__format(pen, STYLE_DIM, ", in %zu %s", row->nr_folded,
		    !row->is_folded	  ? "of these stacks"
		    : row->nr_folded == 1 ? "stack"
					  : "stacks");
}

/* Fits the columns of values, such as "16 min 51 s", and of commands to the rows on the screen. */
static void fit_columns(struct painted_table *table)
{
	static const size_t ids[] = {0, 8, 16};
	const struct live *live = table->live;
	const bool has_comms = live->selection.view == VIEW_STACKS;
	const size_t most = COMM_COLUMNS + ids[live->selection.merge];
	char value[32];

	table->nr_comm = strlen("COMMAND");
	for (size_t i = live->top; i < live->nr_rows && i < live->top + live->nr_lines; i++) {
		const struct live_row *row = &live->rows[i];
		size_t width;

		format_value(table, row, value, sizeof(value));
		if (text__width(value) + 2 > table->nr_value)
			table->nr_value = text__width(value) + 2;
		if (!has_comms)
			continue;
		width = text__width(dictionary__process(table->dictionary, row->process)->comm) +
			ids[live->selection.merge];
		if (width > table->nr_comm)
			table->nr_comm = width < most ? width : most;
	}
	if (table->pane->stop - table->pane->start < SPARK_FROM && table->nr_comm > 10)
		table->nr_comm = 10;
}

void paint__table(struct canvas *canvas, const struct pane *pane, const struct live *live)
{
	static void (*const painters[])(const struct painted_table *, struct pen *,
					const struct live_row *) = {
		[VIEW_STACKS] = paint_stack_row,  [VIEW_FUNCTIONS] = paint_group_row,
		[VIEW_TREE] = paint_tree_row,	  [VIEW_PROCESSES] = paint_process_row,
		[VIEW_MODULES] = paint_group_row,
	};
	size_t width = pane->stop - pane->start;
	struct painted_table table = {
		.canvas = canvas,
		.pane = pane,
		.live = live,
		.dictionary = profile__dictionary(live->profile),
		.nr_value = VALUE_COLUMNS,
		.has_errors = errors__are_shown(live, width),
		.nr_sparks = width >= LONG_FROM	   ? MOST_PAST
			     : width >= SPARK_FROM ? SHORT_SPARK
						   : 0,
		.nr_states = !live->states.are_told || width < SPARK_FROM ? 0
			     : width >= LONG_FROM			  ? LONG_BAR
									  : SHORT_BAR,
	};

	if (live->selection.view == VIEW_STACKS || live->selection.view == VIEW_PROCESSES)
		fit_columns(&table);
	paint_heading(&table);
	for (size_t line = pane->first + 1; line < pane->end; line++) {
		size_t index = live->top + line - pane->first - 1;
		struct pen pen = pen__on_canvas(canvas, line, pane->start, pane->stop);

		if (index >= live->nr_rows)
			break;
		if (live->rows[index].id == ROW_ID_IDLE)
			paint_idle_row(&table, &pen, &live->rows[index]);
		else if (live->rows[index].nr_folded)
			paint_noise_row(&table, &pen, &live->rows[index]);
		else
			painters[live->selection.view](&table, &pen, &live->rows[index]);
		if (index == live->cursor)
			canvas__mark(canvas, line, pane->start, pane->stop);
	}
}
