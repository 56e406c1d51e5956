// SPDX-License-Identifier: GPL-2.0-only
/* The lines above the table, and the last one. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "live/paint.h"
#include "views/pen.h"

#define HEADER_LINES  3
#define STATS_LINE    3
#define TALL_FROM     20 /* lines: room for more than one loss */
#define MOST_NOTICES  3
#define WIDE_FROM     76 /* columns: room for more than the necessary */
#define VIEWS_COLUMNS 65 /* of the names of all views */

/* ---- header ---- */

/* The interval whose costs are shown: they are not summed. NULL: there is no picture. */
static const struct interval *paid_interval(const struct live *live)
{
	const struct kept *newest;

	if (!live->picture)
		return NULL;
	newest = live->stepped ? live->picture
			       : history__find(&live->history, live->picture->number);
	return newest ? &newest->interval : &live->picture->interval;
}

/* With --stats, or while somebody else has the kernel time its programs. */
static bool was_timed(const struct live *live)
{
	const struct interval *interval = paid_interval(live);

	return interval && interval->cost.program_runs;
}

size_t paint__header_lines(const struct live *live, size_t nr_lines)
{
	size_t most = nr_lines < TALL_FROM ? 1 : MOST_NOTICES, nr = 0;
	char text[1];

	if (nr_lines < 10)
		return nr_lines > 4 ? 1 : 0;
	while (live->picture && nr < most &&
	       ledger__notice(&live->picture->interval.ledger, nr, text, sizeof(text)))
		nr++;
	return HEADER_LINES + was_timed(live) + nr;
}

/* What the picture is: "interval 12", "sum up to interval 12", "FROZEN: interval 12, 3 newer". */
static void describe(const struct live *live, const struct ui *ui, char *text, size_t size)
{
	const char *state = ui->is_over ? "ENDED: " : live__is_frozen(live) ? "FROZEN: " : "";
	uint64_t number = live->picture->number, newer = live->history.nr_added - number;
	char what[64];

	if (live->stepped || live->mode == MODE_INTERVAL)
		snprintf(what, sizeof(what), "interval %" PRIu64, number);
	else if (live->mode == MODE_SUM)
		snprintf(what, sizeof(what), "sum up to interval %" PRIu64, number);
	else
		snprintf(what, sizeof(what), "decaying sum, interval %" PRIu64, number);
	if (live__is_frozen(live) && newer)
		snprintf(text, size, "%s%s, %" PRIu64 " newer", state, what, newer);
	else
		snprintf(text, size, "%s%s", state, what);
}

static void paint_state(struct canvas *canvas, const struct live *live, const struct ui *ui,
			size_t *start)
{
	enum style style = live__is_frozen(live) ? STYLE_UP : STYLE_PLAIN;
	char state[128], text[192], date[16] = "";
	time_t seconds;
	struct tm tm;
	struct pen pen;
	size_t width;

	if (!live->picture)
		return;
	seconds = (time_t)(live->picture->interval.end_realtime_ns / 1000000000);
	if (localtime_r(&seconds, &tm))
		strftime(date, sizeof(date), "%H:%M:%S", &tm);
	describe(live, ui, state, sizeof(state));
	snprintf(text, sizeof(text), "%s, %s", state, date);
	width = text__width(text);
	if (width > canvas->nr_columns / 2 && !live__is_frozen(live))
		return; /* whom it is about comes first */
	*start = canvas->nr_columns > width ? canvas->nr_columns - width : 0;
	pen = pen__on_canvas(canvas, 0, *start, canvas->nr_columns);
	pen__text(&pen, ui->is_over ? STYLE_ALARM : style, text);
}

static void paint_title(struct canvas *canvas, const struct live *live, const struct ui *ui)
{
	size_t start = canvas->nr_columns;
	struct pen pen;

	paint_state(canvas, live, ui, &start);
	pen = pen__on_canvas(canvas, 0, 0, start > 12 ? start - 2 : start);
	pen__text(&pen, STYLE_TITLE, "topstacks  ");
	pen__text(&pen, STYLE_BOLD, live->target ? live->target : "");
}

static const char *format_hz(char *text, size_t size, double hz)
{
	snprintf(text, size, fabs(hz - round(hz)) < 0.05 || hz >= 1000 ? "%.0f" : "%.1f", hz);
	return text;
}

/* What matters most is to be seen whole. */
static bool is_narrow(const struct canvas *canvas)
{
	return canvas->nr_columns < WIDE_FROM;
}

static void paint_rate(struct canvas *canvas, const struct live *live, const struct ui *ui)
{
	struct pen pen = pen__on_canvas(canvas, 1, 0, canvas->nr_columns);
	char delivered[32], asked[32], running[32];

	pen__text(&pen, STYLE_DIM, "cpu-clock  ");
	text__format_duration(running, sizeof(running), ui->running_ns / 1000000000 * 1000000000);
	if (live->picture) {
		const struct interval *interval = &live->picture->interval;

		pen__format(&pen, STYLE_PLAIN, "%s Hz (asked %s)",
			    format_hz(delivered, sizeof(delivered), interval->delivered_hz),
			    format_hz(asked, sizeof(asked), interval->asked_hz));
		if (!is_narrow(canvas))
			pen__format(&pen, STYLE_PLAIN, " on %u CPU%s", interval->nr_cpus,
				    text__plural(interval->nr_cpus));
		pen__text(&pen, STYLE_PLAIN, ", ");
	}
	pen__format(&pen, STYLE_PLAIN, "every %g s, %sfor %s", ui->interval_s,
		    is_narrow(canvas) ? "" : "running ", running);
}

static double percent_of(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void paint_cost(struct pen *pen, const struct interval *interval)
{
	const struct cost *cost = &interval->cost;
	uint64_t kept_bytes = cost->resident_bytes;
	char memory[32];

	text__format_bytes(memory, sizeof(memory), kept_bytes);
	pen__text(pen, STYLE_DIM, "; cost ");
	pen__format(pen, STYLE_PLAIN, "%.2f %% CPU",
		    interval->duration_ns ? 100.0 * (double)(cost->user_ns + cost->system_ns) /
						    (double)interval->duration_ns
					  : 0);
	if (pen__left(pen) >= strlen(memory) + 2)
		pen__format(pen, STYLE_PLAIN, ", %s", memory);
}

static void paint_ledger(struct canvas *canvas, const struct live *live)
{
	const struct ledger *ledger = &live->picture->interval.ledger;
	struct pen pen = pen__on_canvas(canvas, 2, 0, canvas->nr_columns);
	uint64_t lost = ledger__lost(ledger);
	double coverage = ledger__coverage(ledger);
	char text[32];

	text__format_count(text, sizeof(text), ledger->counted);
	pen__format(&pen, STYLE_BOLD, "%s", text);
	pen__format(&pen, STYLE_PLAIN, " sample%s, ", text__plural(ledger->counted));
	text__format_count(text, sizeof(text), lost);
	pen__format(&pen, lost ? STYLE_ALARM : STYLE_PLAIN, "%s lost", text);
	if (!ledger__balances(ledger))
		pen__text(&pen, STYLE_ALARM, ", NOT BALANCED");
	if (ledger->counted && !is_narrow(canvas))
		pen__format(&pen, STYLE_PLAIN, ", %.1f %% whole",
			    percent_of(ledger->whole, ledger->counted));
	if (coverage >= 0)
		pen__format(&pen, STYLE_PLAIN, ", %.1f %% covered", coverage);
	paint_cost(&pen, paid_interval(live));
}

/* "a BPF run 1.3 us; of the cost drain 0.08 %, symbols 0.76 %, display 0.02 %" */
static void paint_stats(struct canvas *canvas, const struct live *live)
{
	const struct interval *interval = paid_interval(live);
	const struct cost *cost = &interval->cost;
	struct pen pen = pen__on_canvas(canvas, STATS_LINE, 0, canvas->nr_columns);
	char run[32];

	text__format_duration(run, sizeof(run), cost->program_ns / cost->program_runs);
	pen__format(&pen, STYLE_PLAIN, "%s %s; ", is_narrow(canvas) ? "BPF" : "a BPF run", run);
	pen__text(&pen, STYLE_DIM, is_narrow(canvas) ? "" : "of the cost ");
	pen__format(&pen, STYLE_PLAIN, "drain %.2f %%, symbols %.2f %%, display %.2f %%",
		    percent_of(cost->drain_ns, interval->duration_ns),
		    percent_of(cost->symbols_ns, interval->duration_ns),
		    percent_of(cost->display_ns, interval->duration_ns));
}

static void paint_notices(struct canvas *canvas, const struct live *live, size_t first,
			  size_t nr_lines)
{
	char text[256];

	for (size_t i = first; i < nr_lines; i++) {
		struct pen pen = pen__on_canvas(canvas, i, 0, canvas->nr_columns);

		ledger__notice(&live->picture->interval.ledger, i - first, text, sizeof(text));
		pen__text(&pen, STYLE_ALARM, text);
	}
}

void paint__header(struct canvas *canvas, const struct live *live, const struct ui *ui,
		   size_t nr_lines)
{
	if (nr_lines > 0)
		paint_title(canvas, live, ui);
	if (nr_lines < HEADER_LINES)
		return;
	paint_rate(canvas, live, ui);
	if (!live->picture)
		return;
	paint_ledger(canvas, live);
	if (was_timed(live))
		paint_stats(canvas, live);
	paint_notices(canvas, live, HEADER_LINES + was_timed(live), nr_lines);
}

/* ---- views, and what is let through ---- */

static void describe_zoom(const struct live *live, FILE *out)
{
	if (live->look.nr_zooms)
		fprintf(out, "  zoom %zu", live->look.nr_zooms);
}

/* "/malloc/  kernel hidden  43.2 % let through" */
static char *describe_look(const struct live *live)
{
	static const char *const merges[] = {"", "  by process", "  by thread"};
	const struct look *look = &live->look;
	char *text = NULL;
	size_t nr_bytes;
	FILE *out = open_memstream(&text, &nr_bytes);

	if (!out)
		return NULL;
	if (live__is_comparing(live))
		fprintf(out, "  against interval %" PRIu64,
			live->history.held[HELD_BASELINE].number);
	fputs(merges[look->merge], out);
	if (look->direction == TREE_FROM_LEAF &&
	    (look->view == VIEW_TREE || look->view == VIEW_FLAMES))
		fputs("  from the leaves", out);
	describe_zoom(live, out);
	if (look->hides_kernel || look->hides_user)
		fprintf(out, "  no %s", look->hides_kernel ? "kernel" : "user");
	if (*look->pattern)
		fprintf(out, "  /%s/", look->pattern);
	if (!look__is_clear(look))
		fprintf(out, "  %.1f %%", live__percent(live, live__let_through(live)));
	return fclose(out) ? NULL : text;
}

void paint__views(struct canvas *canvas, size_t line, const struct live *live)
{
	static const char *const names[VIEWS][2] = {
		[VIEW_STACKS] = {"Stacks", "Stacks"}, [VIEW_FUNCTIONS] = {"Functions", "Func"},
		[VIEW_TREE] = {"Tree", "Tree"},	      [VIEW_PROCESSES] = {"Processes", "Proc"},
		[VIEW_MODULES] = {"Modules", "Mod"},  [VIEW_FLAMES] = {"Flames", "Flames"},
	};
	struct pen pen = pen__on_canvas(canvas, line, 0, canvas->nr_columns);
	char *text = describe_look(live);
	size_t width = text ? text__width(text) : 0;
	bool narrow = canvas->nr_columns < VIEWS_COLUMNS + width;

	for (int i = 0; i < VIEWS; i++) {
		bool is_shown = (int)live->look.view == i;

		pen__format(&pen, is_shown ? STYLE_TAB : STYLE_KEY, " %d", i + 1);
		pen__format(&pen, is_shown ? STYLE_TAB : STYLE_PLAIN, " %s ", names[i][narrow]);
	}
	if (width && width < pen__left(&pen))
		pen__pad(&pen, STYLE_PLAIN, canvas->nr_columns - width);
	if (text)
		pen__text(&pen, STYLE_UP, text);
	free(text);
}

/* ---- the last line ---- */

static void paint_prompt(struct pen *pen, const struct ui *ui)
{
	static const char *const words[] = {
		[PROMPT_FILTER] = "filter (regular expression): ",
		[PROMPT_INTERVAL] = "seconds between two pictures: ",
		[PROMPT_RATE] = "samples a second on each CPU: ",
	};
	const char *typed = ui->typed;
	size_t start;

	pen__text(pen, STYLE_BOLD, words[ui->prompt]);
	while (text__width(typed) + 1 > pen__left(pen) && *typed)
		typed++; /* its end is what is being typed */
	pen__text(pen, STYLE_PLAIN, typed);
	start = pen->column;
	pen__text(pen, STYLE_PLAIN, " ");
	canvas__mark(pen->canvas, pen->line, start, start + 1);
}

/* Whole and above, as a prompt may need all of the last line. */
static void paint_complaint(struct canvas *canvas, size_t line, const struct ui *ui)
{
	struct pen pen = pen__on_canvas(canvas, line, 0, canvas->nr_columns);

	pen__text(&pen, STYLE_ALARM, ui->message);
	pen__pad(&pen, STYLE_PLAIN, canvas->nr_columns);
}

static void paint_key(struct pen *pen, const char *label, const char *brief)
{
	size_t length = strcspn(label, ","); /* "Space, p": the first will do */

	if (length + strlen(brief) + 3 > pen__left(pen))
		return;
	pen__format(pen, STYLE_KEY, "%.*s", (int)length, label);
	pen__format(pen, STYLE_DIM, " %s  ", brief);
}

/* Help and the way out have their place on every screen. */
static void paint_keys(struct pen *pen)
{
	size_t nr_keys;
	const struct key *keys = keys__all(&nr_keys);

	paint_key(pen, "?", "help");
	paint_key(pen, "q", "quit");
	for (size_t i = 0; i < nr_keys; i++)
		if (keys[i].brief)
			paint_key(pen, keys[i].label, keys[i].brief);
}

void paint__footer(struct canvas *canvas, size_t line, const struct live *live, const struct ui *ui)
{
	struct pen pen = pen__on_canvas(canvas, line, 0, canvas->nr_columns);

	if (ui->prompt != PROMPT_NONE && *ui->message && line)
		paint_complaint(canvas, line - 1, ui);
	if (ui->prompt != PROMPT_NONE)
		paint_prompt(&pen, ui);
	else if (*ui->message)
		pen__text(&pen, ui->is_alarm ? STYLE_ALARM : STYLE_BOLD, ui->message);
	else if (ui->is_over)
		pen__format(&pen, STYLE_ALARM, "%s has ended; this is its last picture. q quits",
			    live->target ? live->target : "the target");
	else
		paint_keys(&pen);
}
