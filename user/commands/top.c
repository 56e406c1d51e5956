// SPDX-License-Identifier: GPL-2.0-only
/* The command that no name means: sample, and show the hottest stacks, interval by interval. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "commands/child.h"
#include "commands/command.h"
#include "commands/interrupt.h"
#include "commands/printer.h"
#include "commands/recorder.h"
#include "commands/target_options.h"

/* How soon to look again whether the reader has taken the interval before. */
#define BUSY_OUTPUT_NS 20000000ULL

struct top {
	struct target_options target;
	double interval_s, duration_s;
	unsigned int nr_rows;
	bool per_process;
	bool once;
	bool folded, json;
	unsigned int color;
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
	{0, "folded", NULL, OPT_FLAG(struct top, folded), NULL,
	 "print folded stacks, for flame graphs"},
	{0, "json", NULL, OPT_FLAG(struct top, json), NULL, "print one JSON object an interval"},
	{0, "color", "auto|always|never", OPT_CHOICE(struct top, color), "auto",
	 "colour the text; auto: on a terminal, unless NO_COLOR is set"},
	{0},
};

struct run {
	const struct top *top;
	struct recorder *recorder;
	struct printer printer;
	struct child *child; /* NULL: no command */
	char *target;	     /* in words */
	bool intends_to_end; /* a signal came */
	bool target_is_gone;
	bool child_runs; /* it was told to exec */
	unsigned int nr_intervals;
};

static int check_options(const struct top *top, struct error *err)
{
	if (top->folded && top->json)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--folded and --json exclude each other");
	return 0;
}

static enum output_form form_of(const struct top *top)
{
	if (top->json)
		return OUTPUT_JSON;
	return top->folded ? OUTPUT_FOLDED : OUTPUT_TEXT;
}

static struct view_options view_of(const struct top *top)
{
	struct view_options view = {.merge = MERGE_BY_COMM, .nr_rows = top->nr_rows};

	if (top->target.threads)
		view.merge = MERGE_BY_THREAD;
	else if (top->per_process)
		view.merge = MERGE_BY_PROCESS;
	view.pids = view.merge != MERGE_BY_COMM;
	return view;
}

/* A signal for us alone is meant for the command as well. */
static void take_interrupt(struct run *run)
{
	int number;
	enum interrupt interrupt = interrupt__take(&number);

	if (interrupt == INTERRUPT_NONE)
		return;
	if (!run->child)
		run->intends_to_end = true;
	else if (interrupt == INTERRUPT_PROCESS)
		kill(run->child->pid, number);
}

static bool has_ended(const struct child *child)
{
	siginfo_t info = {0};

	return !waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) &&
	       info.si_pid == child->pid;
}

/* A command ends the run with its own end, whoever of its children goes on. */
static bool is_over(struct run *run, int stop)
{
	if (run->child)
		return has_ended(run->child);
	run->target_is_gone = stop == RECORDER_GONE;
	return run->target_is_gone || run->intends_to_end;
}

/*
 * Samples until the interval is over. An interval whose output could not be written yet goes on:
 * nothing is lost, the next one is longer. Returns 1 if the run is over, 0, or negative errno.
 */
static int sample_interval(struct run *run, uint64_t end_ns, uint64_t last_ns, struct error *err)
{
	int watched = run->child ? run->child->pidfd : -1;
	uint64_t until_ns = end_ns;
	int stop;

	for (;;) {
		stop = recorder__run(run->recorder, until_ns < last_ns ? until_ns : last_ns,
				     watched, err);
		if (stop < 0)
			return stop;
		take_interrupt(run);
		if (is_over(run, stop) || monotonic_ns() >= last_ns)
			return 1;
		if (monotonic_ns() < end_ns)
			continue;
		if (!printer__is_busy(&run->printer))
			return 0;
		until_ns = monotonic_ns() + BUSY_OUTPUT_NS;
	}
}

/* What the recorder does not know. */
static void describe(const struct run *run, struct interval *interval)
{
	const struct target_options *target = &run->top->target;

	interval->target = run->target;
	interval->asked_hz = target->rate_hz;
	interval->whole_system = !run->child && !target->pids.nr_ids && !target->tid;
}

static int report_interval(struct run *run, struct error *err)
{
	struct interval interval;
	int code;

	code = recorder__end(run->recorder, &interval, err);
	if (code)
		return code;
	describe(run, &interval);
	interval.cost.display_ns = printer__take_time_ns(&run->printer);
	code = printer__interval(&run->printer, &interval, err);
	if (!code)
		code = recorder__begin(run->recorder, err);
	run->nr_intervals++;
	return code;
}

/* One interval was its own summary. */
static int report_run(struct run *run, struct error *err)
{
	struct interval interval;

	if (run->nr_intervals < 2)
		return 0;
	recorder__sum(run->recorder, &interval);
	describe(run, &interval);
	return printer__summary(&run->printer, &interval, err);
}

static uint64_t after(uint64_t start_ns, double seconds)
{
	return start_ns + (uint64_t)(seconds * 1e9);
}

static uint64_t end_of_run(const struct top *top, uint64_t start_ns)
{
	uint64_t end_ns = UINT64_MAX;

	if (top->duration_s > 0)
		end_ns = after(start_ns, top->duration_s);
	if (top->once && after(start_ns, top->interval_s) < end_ns)
		end_ns = after(start_ns, top->interval_s);
	return end_ns;
}

static int run_intervals(struct run *run, struct error *err)
{
	uint64_t start_ns = monotonic_ns(), last_ns = end_of_run(run->top, start_ns);
	uint64_t end_ns = start_ns;
	int over = 0, code;

	while (!over) {
		end_ns = after(end_ns, run->top->interval_s);
		if (end_ns < monotonic_ns()) /* the last one was late: no two at once */
			end_ns = after(monotonic_ns(), run->top->interval_s);
		over = sample_interval(run, end_ns, last_ns, err);
		if (over < 0)
			return over;
		if (over)
			recorder__stop(run->recorder);
		code = report_interval(run, err);
		if (code)
			return code;
	}
	return report_run(run, err);
}

/* A reader that has seen enough (`| head`) ends the run, and is no error. */
static int finish_output(struct run *run, int code, struct error *err)
{
	int closed;

	if (code && err->code != -EPIPE) {
		printer__close(&run->printer, NULL);
		return code;
	}
	closed = printer__close(&run->printer, err);
	if (closed == -EPIPE || code == -EPIPE) {
		*err = (struct error){0};
		return 0;
	}
	return closed;
}

static int sample_and_report(struct run *run, char **words, struct error *err)
{
	int code;

	interrupt__setup(run->child != NULL);
	code = recorder__start(run->recorder, err);
	if (!code && run->child) {
		code = child__exec(run->child, words, err);
		run->child_runs = true;
	}
	if (!code)
		code = run_intervals(run, err);
	return finish_output(run, code, err);
}

static int open_and_run(struct run *run, char **words, struct error *err)
{
	const struct top *top = run->top;
	struct view_options view = view_of(top);
	int code;

	code = target_options__open(&top->target, run->child, &run->recorder, err);
	if (!code)
		code = printer__open(&run->printer, form_of(top), &view, top->color, !run->child,
				     err);
	if (!code)
		code = sample_and_report(run, words, err);
	recorder__close(run->recorder);
	return code;
}

/* The exit status is the command's; failures of our own must not look like it. */
static int run_command(struct run *run, char **words, struct error *err)
{
	struct child child;
	int code, status;

	code = child__fork(&child, words, run->top->target.user, err);
	if (code)
		return code;
	run->child = &child;
	code = open_and_run(run, words, err);
	if (!run->child_runs)
		child__abandon(&child);
	else if (err->exit_code != EXIT_ENOENT && err->exit_code != EXIT_CANNOT_INVOKE) {
		status = child__wait(&child);
		if (!code)
			return status;
	}
	if (err->exit_code < EXIT_CANCELED)
		err->exit_code = EXIT_CANCELED;
	return code;
}

static int run_top(const struct options *options, struct error *err)
{
	const struct top *top = options->values;
	struct run run = {.top = top};
	int code;

	code = check_options(top, err);
	if (!code)
		code = target_options__check(&top->target, options->words, err);
	if (code)
		return code;
	run.target = target_options__describe(&top->target, options->words);
	if (!run.target)
		return error__no_memory(err);
	if (options->nr_words)
		code = run_command(&run, options->words, err);
	else
		code = open_and_run(&run, NULL, err);
	if (run.target_is_gone)
		fprintf(stderr, "topstacks: %s has ended\n", run.target);
	free(run.target);
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
