// SPDX-License-Identifier: GPL-2.0-only
/* The default command: samples, and shows the hottest stacks, interval by interval. */

#include "actions/top.h"
#include "commands/common_rows.h"
#include "commands/subcommand.h"
#include "commands/target_options.h"
#include "live/viewer.h"
#include "run/limits.h"

struct top_options {
	struct target_options target;
	struct top_plan plan;
	const char *wait, *state; /* which waits are shown; NULL: all */
	unsigned int nr_rows;
	enum errors errors;
	bool once, per_process, all_waits, plain, folded, json;
};

static const struct option_row rows[] = {
	TARGET_ROWS(struct top_options, target, plan.session),
	{OPT_SECTION("Time")},
	{'i', "interval", "SEC",
	 OPT_SECONDS(struct top_options, plan.session.interval_s, 0.01, 1e6), "5",
	 "seconds between two reports"},
	{'d', "duration", "SEC",
	 OPT_SECONDS(struct top_options, plan.session.duration_s, 0.01, 1e8), NULL,
	 "stop after this time"},
	{0, "once", NULL, OPT_FLAG(struct top_options, once), NULL, "print one report and exit"},
	{OPT_SECTION("Output")},
	{'n', "rows", "N", OPT_UNSIGNED(struct top_options, nr_rows, 1, 1000000), "10",
	 "show the N hottest stacks and functions"},
	{0, "per-process", NULL, OPT_FLAG(struct top_options, per_process), NULL,
	 "a row for each process, not for each program name"},
	WAIT_ROWS(struct top_options, wait, state),
	ALL_WAITS_ROW(struct top_options, all_waits),
	ERRORS_ROW(struct top_options, errors),
	{0, "plain", NULL, OPT_FLAG(struct top_options, plain), NULL,
	 "print text, not the live view, even on a terminal"},
	{0, "folded", NULL, OPT_FLAG(struct top_options, folded), NULL,
	 "print folded stacks, for flame graphs"},
	{0, "json", NULL, OPT_FLAG(struct top_options, json), NULL,
	 "print one JSON object per interval"},
	COLOR_ROW(struct top_options, plan.color),
	{'o', "output", "FILE", OPT_STRING_OF(struct top_options, plan.output, HINT_FILE), NULL,
	 "write to this file instead of standard output, which COMMAND may need for itself"},
	{0, "save", "FILE", OPT_STRING_OF(struct top_options, plan.save, HINT_PROFILE), NULL,
	 "at the end, also write the whole run to this file, as record does"},
	LINE_ROWS(struct top_options, plan.lines),
	QUALITY_ROW(struct top_options, plan.required_quality),
	{0},
};

static const char *const most_used[] = {"pid",	    "all",	"comm", "event", "rate",
					"interval", "duration", "once", "rows",	 "threads",
					"json",	    "save",	NULL};

static enum output_form form_of(const struct top_options *top)
{
	if (top->json)
		return OUTPUT_JSON;
	return top->folded ? OUTPUT_FOLDED : OUTPUT_TEXT;
}

/*
 * Whether to use the full-screen view: on a terminal, for a longer run; a command after "--" has
 * the terminal itself.
 */
static bool wants_live(const struct top_options *top, bool has_command)
{
	const struct session_plan *session = &top->plan.session;
	bool is_long = session->duration_s <= 0 || session->duration_s > session->interval_s;

	return form_of(top) == OUTPUT_TEXT && !top->plain && !top->once && is_long &&
	       !has_command && !top->plan.output && viewer__is_possible();
}

static int run_top(const struct options *options, struct error *err)
{
	struct top_options *top = options->values;
	struct top_plan *plan = &top->plan;
	struct viewer_options live = {0};
	struct display display = viewer__display(&live);
	const bool threads = plan->session.capture.by_thread;
	int code = limits__check(err);

	if (!code)
		code = line_options__check(&plan->lines, err);
	if (!code && top->folded && top->json)
		code = error__say(err, EXIT_USAGE, -EINVAL,
				  "--folded and --json exclude each other");
	if (!code)
		code = wait_choice__parse(&plan->waits, top->state, top->wait, err);
	if (!code)
		code = target_options__plan(&top->target, options->words, &plan->session, err);
	if (code)
		return code;
	plan->session.capture.code_lines = top->plan.lines.lines;
	if (wants_live(top, options->nr_words > 0))
		plan->display = &display;
	if (top->once) {
		if (plan->session.duration_s <= 0)
			plan->session.duration_s = plan->session.interval_s;
		plan->session.interval_s = plan->session.duration_s;
	}
	plan->form = form_of(top);
	plan->view = (struct view_options){
		.merge = threads	    ? MERGE_BY_THREAD
			 : top->per_process ? MERGE_BY_PROCESS
					    : MERGE_BY_COMM,
		.nr_rows = top->nr_rows,
		.pids = threads || top->per_process,
		.lines = plan->lines.lines,
		.all_waits = top->all_waits || top->wait || top->state,
		.errors = top->errors,
	};
	live = (struct viewer_options){
		.merge = plan->view.merge,
		.by_thread = threads,
		.all_waits = plan->view.all_waits,
		.errors = top->errors,
		.color = printer__use_color(plan->color, NULL),
		.interval_s = plan->session.interval_s,
		.event = plan->session.capture.event,
		.rate_hz = plan->session.capture.rate_hz,
	};
	return top__run(plan, err);
}

const struct subcommand subcommand_top = {
	.name = "top",
	.summary = "sample, and show the hottest stacks at every interval (the default)",
	.usage = "[-p PID[,PID...] | -t TID | -a | --comm NAME...] [OPTION...]\n[OPTION...] -- "
		 "COMMAND [ARG...]",
	.description =
		"Samples the CPU time of processes with all their threads and children, or of "
		"the whole system, and shows where it goes. With -e off-cpu it shows what they "
		"wait for. Other events are page faults, cache misses or bytes written.",
	.examples = "sudo topstacks -p \"$(pidof redis-server)\"     # watch a program\n"
		    "sudo topstacks --comm nginx                   # the same, by its name\n"
		    "sudo topstacks --comm nginx -e page-faults    # who touches new memory\n"
		    "sudo topstacks --comm nginx -e off-cpu        # who waits, and for what\n"
		    "sudo topstacks --user \"$USER\" -- make -j2     # run a command\n"
		    "sudo topstacks -a --once                      # the whole machine, as text",
	.exit_codes = EXIT_CODES_OF_RUNS,
	.operands = OPERANDS_COMMAND,
	.samples = true,
	.rows = rows,
	.most_used = most_used,
	.values_size = sizeof(struct top_options),
	.run = run_top,
};
