// SPDX-License-Identifier: GPL-2.0-only
#include "live/paint.h"

#include <time.h>

#include "views/pen.h"
#include "views/summary.h"

#define HEADER_LINES  3
#define ROOMY_FROM    20 /* lines of the screen: from here on, there is room for more than alarms */
#define FEW_ROWS      2
#define SOME_ROWS     4
#define VIEWS_COLUMNS 65 /* width of the names of all views */

/* ---- header ---- */

/*
 * Chooses the lines below the fixed ones: alarms, and what the user asked for. Others would come
 * and go with every interval, and the table would jump.
 */
static void choose_rows(struct summary *summary, const struct live *live, size_t nr_lines)
{
	summary->nr_rows = 0;
	if (!live->picture)
		return;
	summary__init(summary, &live->picture->recording, NULL);
	summary__cut(summary, IMPORTANCE_NEEDED, nr_lines >= ROOMY_FROM ? SOME_ROWS : FEW_ROWS);
}

size_t paint__header_lines(const struct live *live, size_t nr_lines)
{
	struct summary summary;

	if (nr_lines < 10)
		return nr_lines > 4 ? 1 : 0;
	choose_rows(&summary, live, nr_lines);
	return HEADER_LINES + summary.nr_rows;
}

/*
 * Paints the state: "interval 12", "sum up to interval 12", "FROZEN: interval 12, 3 newer"; and the
 * time. Returns the column where it begins.
 */
static size_t paint_state(struct canvas *canvas, const struct live *live, const struct ui *ui)
{
	static const char *const names[] = {[MODE_INTERVAL] = "interval",
					    [MODE_SUM] = "sum up to interval",
					    [MODE_DECAYED] = "decaying sum, interval"};
	const bool is_frozen = live__is_frozen(live);
	char text[192], date[16] = "", newer[32] = "";
	uint64_t number, nr_newer;
	time_t seconds;
	struct tm tm;
	struct pen pen;
	size_t width, start;

	if (!live->picture)
		return canvas->nr_columns;
	number = live->picture->number;
	nr_newer = live->history.nr_added - number;
	if (is_frozen && nr_newer)
		snprintf(newer, sizeof(newer), ", %" PRIu64 " newer", nr_newer);
	seconds = (time_t)(recording__end_ns(&live->picture->recording) / 1000000000);
	if (localtime_r(&seconds, &tm))
		strftime(date, sizeof(date), "%H:%M:%S", &tm);
	snprintf(text, sizeof(text), "%s%s %" PRIu64 "%s, %s",
		 ui->is_over ? "ENDED: "
		 : is_frozen ? "FROZEN: "
			     : "",
		 names[live->stepped ? MODE_INTERVAL : live->mode], number, newer, date);
	width = text__width(text);
	if (width > canvas->nr_columns / 2 && !is_frozen)
		return canvas->nr_columns; /* the target is more important */
	start = canvas->nr_columns > width ? canvas->nr_columns - width : 0;
	pen = pen__on_canvas(canvas, 0, start, canvas->nr_columns);
	pen__text(&pen, ui->is_over ? STYLE_ALARM : is_frozen ? STYLE_UP : STYLE_PLAIN, text);
	return start;
}

void paint__header(struct canvas *canvas, const struct live *live, const struct ui *ui,
		   size_t nr_lines)
{
	struct phrases rate = {0}, samples = {0};
	struct summary summary;
	struct pen pen;
	char running[32];
	size_t start;

	if (nr_lines > 0) {
		start = paint_state(canvas, live, ui);
		pen = pen__on_canvas(canvas, 0, 0, start > 12 ? start - 2 : start);
		pen__text(&pen, STYLE_TITLE, "topstacks  ");
		pen__text(&pen, STYLE_BOLD, live->target ? live->target : "");
	}
	if (nr_lines < HEADER_LINES)
		return;

	pen = pen__on_canvas(canvas, 1, 0, canvas->nr_columns);
	if (live->picture)
		summary__brief_rate(&rate, &live->picture->recording);
	text__format_duration(running, sizeof(running), ui->running_ns / 1000000000 * 1000000000);
	phrases__add(&rate, ", ", STYLE_PLAIN, IMPORTANCE_NEEDED, "every %g s", ui->interval_s);
	phrases__add(&rate, ", ", STYLE_PLAIN, IMPORTANCE_DETAIL, "running");
	phrases__add(&rate, " ", STYLE_PLAIN, IMPORTANCE_USUAL, "for %s", running);
	phrases__write(&rate, &pen);
	if (!live->picture)
		return;

	pen = pen__on_canvas(canvas, 2, 0, canvas->nr_columns);
	summary__brief_samples(&samples, &live->picture->recording, live->unit);
	phrases__write(&samples, &pen);
	choose_rows(&summary, live, canvas->nr_lines);
	for (size_t i = 0; i < summary.nr_rows; i++) {
		const struct summary_row *row = &summary.rows[i];

		pen = pen__on_canvas(canvas, HEADER_LINES + i, 0, canvas->nr_columns);
		pen__text(&pen, row->style, row->about);
		pen__text(&pen, row->style, row->text);
	}
}

/* ---- views and filters ---- */

/* Describes the filters: "no kernel  /malloc/  43.2 %". free() it. */
static char *describe_selection(const struct live *live)
{
	static const char *const merges[] = {"", "  by process", "  by thread"};
	const struct selection *selection = &live->selection;
	char *text = NULL;
	size_t nr_bytes;
	FILE *out = xmemstream(&text, &nr_bytes);

	if (live__is_comparing(live))
		fprintf(out, "  against interval %" PRIu64,
			live->history.held[HELD_BASELINE].number);
	if (selection->view != VIEW_PROCESSES)
		fputs(merges[selection->merge], out);
	if (selection->direction == TREE_FROM_LEAF &&
	    (selection->view == VIEW_TREE || selection->view == VIEW_FLAMES))
		fputs("  from the leaves", out);
	if (selection->nr_zooms)
		fprintf(out, "  zoom %zu", selection->nr_zooms);
	if (selection->hides_kernel || selection->hides_user)
		fprintf(out, "  no %s", selection->hides_kernel ? "kernel" : "user");
	if (*selection->pattern)
		fprintf(out, "  /%s/", selection->pattern);
	if (*selection->states)
		fprintf(out, "  state %s", selection->states);
	if (*selection->kinds)
		fprintf(out, "  wait %s", selection->kinds);
	if (!selection__is_clear(selection))
		fprintf(out, "  %.1f %%", live__percent(live, live__let_through(live)));
	xfclose(out);
	return text;
}

void paint__views(struct canvas *canvas, size_t line, const struct live *live)
{
	static const char *const names[VIEWS][2] = {
		[VIEW_STACKS] = {"Stacks", "Stacks"}, [VIEW_FUNCTIONS] = {"Functions", "Func"},
		[VIEW_TREE] = {"Tree", "Tree"},	      [VIEW_PROCESSES] = {"Processes", "Proc"},
		[VIEW_MODULES] = {"Modules", "Mod"},  [VIEW_FLAMES] = {"Flames", "Flames"},
	};
	struct pen pen = pen__on_canvas(canvas, line, 0, canvas->nr_columns);
	char *text = describe_selection(live);
	size_t width = text__width(text);
	bool narrow = canvas->nr_columns < VIEWS_COLUMNS + width;

	for (int i = 0; i < VIEWS; i++) {
		bool is_shown = (int)live->selection.view == i;

		pen__format(&pen, is_shown ? STYLE_TAB : STYLE_KEY, " %d", i + 1);
		pen__format(&pen, is_shown ? STYLE_TAB : STYLE_PLAIN, " %s ", names[i][narrow]);
	}
	if (width && width < pen__left(&pen))
		pen__pad(&pen, STYLE_PLAIN, canvas->nr_columns - width);
	pen__text(&pen, STYLE_UP, text);
	free(text);
}

/* ---- the last line ---- */

static void paint_prompt(struct pen *pen, const struct ui *ui)
{
	static const char *const words[] = {
		[ACTION_FILTER] = "filter (regular expression): ",
		[ACTION_STATES] = "states (blocked,preempted,throttled,woken,stopped; !blocked: "
				  "all others): ",
		[ACTION_WAITS] = "waits (lock,disk,net,poll,sleep,pipe,child,fault,other): ",
		[ACTION_INTERVAL] = "seconds between two pictures: ",
		[ACTION_RATE] = "samples a second on each CPU: ",
	};
	const char *typed = ui->typed;
	size_t start;

	pen__text(pen, STYLE_BOLD, words[ui->prompt]);
	while (text__width(typed) + 1 > pen__left(pen) && *typed)
		typed++; /* show the end, where the user types */
	pen__text(pen, ui->is_offered ? STYLE_DIM : STYLE_PLAIN, typed);
	start = pen->column;
	pen__text(pen, STYLE_PLAIN, " ");
	canvas__mark(pen->canvas, pen->line, start, start + 1);
}

/* On this line, and also the one above if the message is too long, so that nothing is cut off. */
static void paint_message(struct canvas *canvas, size_t line, const struct ui *ui)
{
	const enum style style = ui->is_alarm ? STYLE_ALARM : STYLE_BOLD;
	const char *rest = ui->message;
	char above[sizeof(ui->message)];
	size_t length = strlen(ui->message);
	struct pen pen;

	if (text__width(ui->message) > canvas->nr_columns && line) {
		memcpy(above, ui->message, length + 1);
		while (length && (above[length] != ' ' || text__width(above) > canvas->nr_columns))
			above[length--] = '\0';
		above[length] = '\0';
		pen = pen__on_canvas(canvas, line - 1, 0, canvas->nr_columns);
		pen__text(&pen, style, above);
		pen__pad(&pen, STYLE_PLAIN, canvas->nr_columns);
		rest += length + (length > 0);
	}
	pen = pen__on_canvas(canvas, line, 0, canvas->nr_columns);
	pen__text(&pen, style, rest);
	pen__pad(&pen, STYLE_PLAIN, canvas->nr_columns);
}

static void paint_key(struct pen *pen, const char *label, const char *brief)
{
	size_t length = strcspn(label, ","); /* "Space, p": the first one is enough */

	if (length + strlen(brief) + 3 > pen__left(pen))
		return;
	pen__format(pen, STYLE_KEY, "%.*s", (int)length, label);
	pen__format(pen, STYLE_DIM, " %s  ", brief);
}

void paint__footer(struct canvas *canvas, size_t line, const struct live *live, const struct ui *ui)
{
	struct pen pen = pen__on_canvas(canvas, line, 0, canvas->nr_columns);
	size_t nr_keys;
	const struct key_row *keys = keys__all(&nr_keys);

	if (ui->prompt != ACTION_NONE && *ui->message && line)
		paint_message(canvas, line - 1, ui);
	if (ui->prompt != ACTION_NONE) {
		paint_prompt(&pen, ui);
	} else if (*ui->message) {
		paint_message(canvas, line, ui);
	} else if (ui->is_over) {
		pen__format(&pen, STYLE_ALARM, "%s has ended; this is its last picture. q quits",
			    live->target ? live->target : "the target");
	} else {
		/* Help and quit are on every screen. */
		paint_key(&pen, "?", "help");
		paint_key(&pen, "q", "quit");
		for (size_t i = 0; i < nr_keys; i++)
			if (keys[i].brief)
				paint_key(&pen, keys[i].label, keys[i].brief);
	}
}
