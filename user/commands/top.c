// SPDX-License-Identifier: GPL-2.0-only
/* The command that no name means: sample, and show the hottest stacks, interval by interval. */
#include <errno.h>
#include <stdio.h>

#include "base/clock.h"
#include "commands/command.h"
#include "commands/gate.h"
#include "commands/target_options.h"
#include "live/viewer.h"
#include "run/annotator.h"
#include "run/printer.h"
#include "run/saver.h"
#include "run/session.h"
#include "symbols/packages.h"

#define LINES_TICK_S  0.1
#define LAST_LINES_NS 20000000000ULL /* how long the last interval waits for source lines */

struct top {
	struct target_options target;
	double interval_s, duration_s;
	unsigned int nr_rows;
	bool per_process;
	bool once;
	bool plain, folded, json;
	unsigned int color;
	const char *output;
	const char *save;
	struct line_options lines;
	double required_quality;
};

static const struct option_row rows[] = {
	TARGET_ROWS(struct top, target),
	{OPT_SECTION("Time")},
	{'i', "interval", "SEC", OPT_SECONDS(struct top, interval_s, 0.01, 1e6), "5",
	 "time between two reports"},
	{'d', "duration", "SEC", OPT_SECONDS(struct top, duration_s, 0.01, 1e8), NULL,
	 "stop after this time"},
	{0, "once", NULL, OPT_FLAG(struct top, once), NULL, "report one interval and exit"},
	{OPT_SECTION("Output")},
	{'n', "rows", "N", OPT_UNSIGNED(struct top, nr_rows, 1, 1000000), "10",
	 "show the N hottest stacks and functions"},
	{0, "per-process", NULL, OPT_FLAG(struct top, per_process), NULL,
	 "a row for each process, not for each program name"},
	{0, "plain", NULL, OPT_FLAG(struct top, plain), NULL,
	 "print text on a terminal too, instead of the live view"},
	{0, "folded", NULL, OPT_FLAG(struct top, folded), NULL,
	 "print folded stacks, for flame graphs"},
	{0, "json", NULL, OPT_FLAG(struct top, json), NULL, "print one JSON object an interval"},
	{0, "color", "auto|always|never", OPT_CHOICE(struct top, color), "auto",
	 "colour the text; auto: on a terminal, unless NO_COLOR is set"},
	{'o', "output", "FILE", OPT_STRING(struct top, output), NULL,
	 "write here instead of standard output, which a command may need for itself"},
	{0, "save", "FILE", OPT_STRING(struct top, save), NULL,
	 "write all of the run to a file in the end, as record does"},
	LINE_ROWS(struct top, lines),
	QUALITY_ROW(struct top, required_quality),
	{0},
};

/* What a session hands its intervals to. */
struct output {
	const struct top *top;
	bool is_live;
	enum session_end end;
	struct viewer *viewer;	/* of the live view, else NULL */
	struct printer printer; /* writer NULL: it is not open */
	struct saver saver;	/* for --save */
	struct packages *packages;
	struct quality quality; /* of the run */
	uint64_t display_ns;	/* of all intervals */
	struct lines *lines;	/* NULL: neither shown nor saved */
};

static int check_options(const struct top *top, struct error *err)
{
	if (line_options__check(&top->lines, err))
		return -EINVAL;
	if (top->folded && top->json)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--folded and --json exclude each other");
	return top->save ? saver__check(top->save, err) : 0;
}

static enum output_form form_of(const struct top *top)
{
	if (top->json)
		return OUTPUT_JSON;
	return top->folded ? OUTPUT_FOLDED : OUTPUT_TEXT;
}

static struct view_options view_of(const struct top *top)
{
	struct view_options view = {
		.merge = MERGE_BY_COMM, .nr_rows = top->nr_rows, .lines = top->lines.lines};

	if (top->target.threads)
		view.merge = MERGE_BY_THREAD;
	else if (top->per_process)
		view.merge = MERGE_BY_PROCESS;
	view.pids = view.merge != MERGE_BY_COMM;
	return view;
}

/* On a terminal, for a while; a command after "--" has the terminal itself. */
static bool wants_live(const struct top *top, bool has_command)
{
	bool is_long = top->duration_s <= 0 || top->duration_s > top->interval_s;

	return form_of(top) == OUTPUT_TEXT && !top->plain && !top->once && is_long &&
	       !has_command && !top->output && viewer__is_possible();
}

static int open_printer(struct output *output, struct error *err)
{
	const struct view_options view = view_of(output->top);

	return printer__open(&output->printer, output->top->output, form_of(output->top), &view,
			     output->top->color, err);
}

static int open_output(void *context, bool has_command, struct error *err)
{
	struct output *output = context;
	const struct top *top = output->top;
	const struct viewer_options options = {
		.merge = view_of(top).merge,
		.by_thread = top->target.threads,
		.color = printer__use_color(top->color),
		.interval_s = top->interval_s,
		.rate_hz = top->target.rate_hz,
		.nr_cpus = target_options__nr_cpus(&top->target),
	};
	int code = top->save ? saver__open(&output->saver, err) : 0;

	(void)has_command;
	if (code)
		return code;
	return output->is_live ? viewer__open(&output->viewer, &options, err)
			       : open_printer(output, err);
}

static bool is_busy(void *context)
{
	struct output *output = context;

	return output->is_live ? viewer__is_busy(output->viewer)
			       : printer__is_busy(&output->printer);
}

static int request_fd(void *context)
{
	const struct output *output = context;

	return output->is_live ? viewer__request_fd(output->viewer) : -1;
}

static void take_request(void *context, struct session_request *request)
{
	struct output *output = context;

	if (output->is_live)
		viewer__take_request(output->viewer, request);
}

static void look_for_lines(void *context, uint64_t elapsed_ns, uint64_t left_ns)
{
	(void)elapsed_ns;
	(void)left_ns;
	lines__work(((struct output *)context)->lines, 0);
}

static int write_interval(struct output *output, const struct interval *interval, struct error *err)
{
	if (output->is_live)
		return viewer__show(output->viewer, interval) ? error__no_memory(err) : 0;
	return printer__interval(&output->printer, interval, err);
}

static int write_sum(struct output *output, const struct interval *run, struct error *err)
{
	return printer__summary(&output->printer, run, err);
}

/*
 * Sampling waits for no lines: those not known yet are in the next interval; only the last one and
 * the sum have time. write sees the profile with lines.
 */
static int print(struct output *output, struct interval *shown, bool has_time,
		 int (*write)(struct output *output, const struct interval *interval,
			      struct error *err),
		 struct error *err)
{
	struct profile *with_lines;
	int code;

	if (!output->top->lines.lines)
		return write(output, shown, err);
	with_lines = annotator__profile(output->lines, shown->profile,
					has_time ? monotonic_ns() + LAST_LINES_NS : 0);
	if (!with_lines)
		return error__no_memory(err);
	shown->profile = with_lines;
	code = write(output, shown, err);
	profile__free(with_lines);
	return code;
}

static int print_interval(void *context, const struct interval *interval, bool is_last,
			  struct error *err)
{
	struct output *output = context;
	struct interval shown = *interval;
	int code = output->top->save ? saver__add(&output->saver, interval, err) : 0;

	if (code)
		return code;
	shown.cost.display_ns = output->is_live ? viewer__take_time_ns(output->viewer)
						: printer__take_time_ns(&output->printer);
	if (!output->is_live)
		gate__find_packages(&shown.quality, output->packages);
	output->quality = shown.quality;
	output->display_ns += shown.cost.display_ns;
	return print(output, &shown, is_last, write_interval, err);
}

/* The last picture of a target that has ended stays until somebody has seen it. */
static void note_end(void *context, enum session_end end)
{
	struct output *output = context;

	output->end = end;
	if (output->is_live && end == SESSION_GONE)
		viewer__wait(output->viewer);
}

/* Whoever quits the live view has seen enough; whoever gave it a time wants to know the result. */
static int print_sum(void *context, const struct interval *run, struct error *err)
{
	struct output *output = context;
	struct interval shown = *run;
	int code = 0;

	gate__find_packages(&shown.quality, output->packages);
	output->quality = shown.quality;
	if (output->is_live) {
		if (output->end != SESSION_TIME)
			return 0;
		code = viewer__close(output->viewer, err);
		output->viewer = NULL;
		if (!code)
			code = open_printer(output, err);
	}
	shown.cost.display_ns = output->display_ns + printer__take_time_ns(&output->printer);
	return code ? code : print(output, &shown, true, write_sum, err);
}

/* A reader that has seen enough (`| head`) ends the run, and is no error. */
static int finish_printing(struct printer *printer, int code, struct error *err)
{
	int closed;

	if (code && code != -EPIPE) {
		printer__close(printer, NULL);
		return code;
	}
	closed = printer__close(printer, err);
	if (closed == -EPIPE || code == -EPIPE) {
		*err = (struct error){0};
		return 0;
	}
	return closed;
}

static int close_output(void *context, int code, struct error *err)
{
	struct output *output = context;

	if (output->viewer) {
		int closed = viewer__close(output->viewer, code ? NULL : err);

		code = code ? code : closed;
	}
	if (output->printer.writer)
		code = finish_printing(&output->printer, code, err);
	if (!code && output->top->save)
		code = saver__write(&output->saver, output->top->save, err);
	return code ? code : gate__check(&output->quality, output->top->required_quality, err);
}

static int open_lines(struct output *output, struct session_plan *plan, struct error *err)
{
	const struct top *top = output->top;

	if (!top->lines.lines && (!top->save || top->lines.no_lines))
		return 0;
	output->lines = annotator__open(&top->lines, !top->target.no_demangle, top->target.symfs);
	if (!output->lines)
		return error__no_memory(err);
	plan->lines = output->saver.lines = output->lines;
	plan->tick_s = LINES_TICK_S;
	return 0;
}

static int run_top(const struct options *options, struct error *err)
{
	const struct top *top = options->values;
	struct output output = {.top = top,
				.is_live = wants_live(top, options->nr_words > 0),
				.packages = packages__new(NULL)};
	struct session_plan plan = {
		.is_quiet = output.is_live,
		.target = &top->target,
		.interval_s = top->interval_s,
		.duration_s =
			top->once && (top->duration_s <= 0 || top->interval_s < top->duration_s)
				? top->interval_s
				: top->duration_s,
	};
	const struct session_steps steps = {
		.context = &output,
		.on_open = open_output,
		.is_busy = is_busy,
		.on_tick = look_for_lines,
		.request_fd = request_fd,
		.on_request = take_request,
		.on_interval = print_interval,
		.on_end = note_end,
		.on_sum = print_sum,
		.on_close = close_output,
	};
	int code = check_options(top, err);

	if (!code)
		code = open_lines(&output, &plan, err);
	if (!code && !output.is_live)
		target_options__note_slowdown(&top->target);
	if (!code)
		code = session__run(&plan, &steps, options, err);
	saver__close(&output.saver);
	packages__free(output.packages);
	lines__free(output.lines);
	return code;
}

const struct command command_top = {
	.name = "top",
	.summary = "sample, and show the hottest stacks at every interval (the default)",
	.usage = "[-p PID[,PID...] | -t TID | -a] [OPTION...]\n[OPTION...] -- COMMAND [ARG...]",
	.description =
		"Samples the CPU time of processes with all their threads and children, or of "
		"the whole\nsystem, and shows where it goes.",
	.operands = OPERANDS_COMMAND,
	.rows = rows,
	.values_size = sizeof(struct top),
	.run = run_top,
};
