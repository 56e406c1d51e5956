// SPDX-License-Identifier: GPL-2.0-only
/* topstacks record: samples, and writes a file, a rotating directory, or repeated runs. */
#include <unistd.h>

#include "actions/record.h"
#include "actions/repeat.h"
#include "commands/common_rows.h"
#include "commands/subcommand.h"
#include "commands/target_options.h"
#include "run/limits.h"
#include "run/notices.h"

struct record_options {
	struct target_options target;
	struct record_plan plan;
	struct repeat_plan repetition;
	double told_slice_s;
	const char *output;
};

static const struct option_row rows[] = {
	{OPT_SECTION("Output")},
	{'o', "output", "FILE", OPT_STRING_OF(struct record_options, output, HINT_PROFILE), NULL,
	 "write a gzipped pprof profile here; -: standard output; with --rotate: a directory"},
	{'q', "quiet", NULL, OPT_FLAG(struct record_options, plan.session.is_quiet), NULL,
	 "print only errors: no progress, no summary, no notices"},
	QUALITY_ROW(struct record_options, plan.required_quality),
	LINE_ROWS(struct record_options, plan.lines),
	{0, "command-lines", NULL,
	 OPT_FLAG(struct record_options, plan.session.symbols.command_lines), NULL,
	 "save the command lines of processes, which may contain passwords"},
	{0, "owners", NULL, OPT_FLAG(struct record_options, plan.session.capture.tells_owners),
	 NULL, "save the user id of each process"},
	{OPT_SECTION("Time")},
	{'d', "duration", "SEC",
	 OPT_SECONDS(struct record_options, plan.session.duration_s, 0.01, 1e8), NULL,
	 "stop after this time"},
	{0, "intervals", "SEC", OPT_SECONDS(struct record_options, plan.slice_s, 0.1, 1e6), NULL,
	 "cut the file into intervals of this length"},
	{0, "slices", "TIME", OPT_SECONDS(struct record_options, told_slice_s, 0.01, 3600), NULL,
	 "store with each sample its slice of time, of this length, such as 100ms, for report "
	 "--by time, --from and --to; cheaper than --intervals, but not for waits"},
	{0, "rotate", "SEC", OPT_SECONDS(struct record_options, plan.rotate_s, 1, 1e6), NULL,
	 "begin a new file each SEC seconds, named by its start time"},
	{0, "keep", "N", OPT_UNSIGNED(struct record_options, plan.nr_kept, 1, 1000000), NULL,
	 "with --rotate: remove all but the newest N files, 24 unless given"},
	{OPT_SECTION("Several runs")},
	{0, "repeat", "N", OPT_UNSIGNED(struct record_options, repetition.nr_runs, 1, 999), NULL,
	 "run COMMAND N times; write a file for each run to the directory of -o, for diff"},
	{0, "warm-up", "N", OPT_UNSIGNED(struct record_options, repetition.nr_warm_up, 0, 999), "0",
	 "with --repeat: first run it N times without recording"},
	{0, "effect", "PERCENT", OPT_NUMBER(struct record_options, repetition.effect, 0.01, 100000),
	 NULL, "with --repeat: stop once diff could find such a slowdown of a function of 10 %"},
	TARGET_ROWS(struct record_options, target, plan.session),
	{0},
};

static int check_options(const struct options *options, struct error *err)
{
	const struct record_options *record = options->values;
	const struct record_plan *plan = &record->plan;
	const struct repeat_plan *repetition = &record->repetition;
	const bool is_printed = record->output && !strcmp(record->output, "-");
	const double file_s = plan->rotate_s > 0 ? plan->rotate_s : plan->session.duration_s;

	if (line_options__check(&plan->lines, err))
		return -EINVAL;
	if (!record->output)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "where to? record needs -o FILE, or -o - for standard output");
	if (is_printed && isatty(STDOUT_FILENO))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "a profile is not for terminals; use -o FILE, or a pipe");
	if (plan->rotate_s > 0 && is_printed)
		return error__say(err, EXIT_USAGE, -EINVAL, "--rotate needs a directory: -o DIR/");
	if (plan->nr_kept && plan->rotate_s <= 0)
		return error__say(err, EXIT_USAGE, -EINVAL, "--keep is for --rotate");
	if (plan->rotate_s > 0 && plan->slice_s > plan->rotate_s)
		return error__say(err, EXIT_USAGE, -EINVAL, "--intervals is longer than --rotate");
	/* Samples carry slices; intervals cost a drain each. */
	if (record->told_slice_s > 0 && plan->slice_s > 0)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--slices and --intervals exclude each other");
	if (record->told_slice_s > 0 && file_s / record->told_slice_s > MAX_SLICES)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "that would be more than %d slices in a file; raise --slices",
				  MAX_SLICES);
	if (!repetition->nr_runs && (repetition->nr_warm_up || repetition->effect > 0))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--warm-up and --effect are for --repeat");
	if (repetition->nr_runs && !options->nr_words)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--repeat needs a command to run: -- COMMAND");
	if (repetition->nr_runs && (plan->rotate_s > 0 || is_printed))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--repeat needs a directory for its runs: -o DIR/");
	return 0;
}

static int run_record(const struct options *options, struct error *err)
{
	struct record_options *record = options->values;
	struct record_plan *plan = &record->plan;
	const bool is_repeated = record->repetition.nr_runs > 0;
	int code = limits__check(err);

	if (!code)
		code = check_options(options, err);
	if (!code && !is_repeated)
		code = record__check_output(plan, record->output, err);
	plan->session.capture.slice_ns = (uint64_t)(record->told_slice_s * 1e9);
	if (!code)
		code = target_options__plan(&record->target, options->words, &plan->session, err);
	if (code)
		return code;
	plan->session.capture.code_lines = plan->lines.lines;
	if (!plan->session.is_quiet)
		notices__slowdown(&plan->session.capture);
	return is_repeated ? repeat__run(&record->repetition, plan, record->output, err)
			   : record__run(plan, record->output, err);
}

const struct subcommand subcommand_record = {
	.name = "record",
	.summary = "sample, and write a file for later",
	.usage = "[-p PID[,PID...] | -t TID | -a | --comm NAME...] [-d SEC] [OPTION...] -o FILE\n"
		 "[OPTION...] -o FILE -- COMMAND [ARG...]\n"
		 "[OPTION...] --rotate SEC [--keep N] -o DIR/\n"
		 "[OPTION...] --repeat N [--warm-up N] [--effect PERCENT] -o DIR/ -- COMMAND "
		 "[ARG...]",
	.description =
		"Samples until the time of -d is over, the command or the target has ended, or "
		"Ctrl-C is pressed. Then writes a gzipped pprof profile, which topstacks report, "
		"go tool pprof and other programs read.",
	.examples =
		"sudo topstacks record -a -d 30 -o all.pb.gz\n"
		"sudo topstacks record --user \"$USER\" -o make.pb.gz -- make -j2\n"
		"sudo topstacks record -F 999 --user \"$USER\" --repeat 5 -o new -- ./benchmark\n"
		"sudo topstacks record -a -F 19 --rotate 3600 --keep 168 -o /var/lib/topstacks",
	.exit_codes = EXIT_CODES_OF_RUNS,
	.operands = OPERANDS_COMMAND,
	.samples = true,
	.rows = rows,
	.values_size = sizeof(struct record_options),
	.run = run_record,
};
