// SPDX-License-Identifier: GPL-2.0-only
/* topstacks report: shows files of ours or of other tools as text, or converts them. */
#include "base/system/memory_limit.h"
#include "commands/report_rows.h"
#include "commands/subcommand.h"
#include "views/answer.h"

struct report_command {
	struct report_options shown;
};

static const struct option_row rows[] = {
	REPORT_SHOW_ROWS(struct report_command, shown),
	{OPT_SECTION("What to select")},
	REPORT_STACK_ROWS(struct report_command, shown),
	{0, "comm", "NAME[,NAME...]",
	 OPT_NAMES_OF(struct report_command, shown.report.choice.comms, 16, HINT_COMM), NULL,
	 "only processes with this name (a shell pattern: 'gcc*')"},
	{0, "pid", "PID", OPT_ID_OF(struct report_command, shown.report.choice.pid, HINT_PID), NULL,
	 "only this process"},
	{0, "cgroup", "PATH[,PATH...]",
	 OPT_NAMES_OF(struct report_command, shown.report.choice.cgroups, 16, HINT_CGROUP), NULL,
	 "only processes in this cgroup and in the cgroups below it"},
	{0, "container", "ID[,ID...]",
	 OPT_NAMES_OF(struct report_command, shown.report.choice.containers, 16, HINT_CONTAINER),
	 NULL, "only processes in this container: its name as shown, or the start of its id"},
	REPORT_SAMPLE_ROWS(struct report_command, shown),
	{OPT_SECTION("Output")},
	{0, "format", "NAME",
	 OPT_STRING_OF(struct report_command, shown.report.format, HINT_REPORT_FORMAT), "text",
	 "text, markdown, folded, pprof, otlp, json, csv, speedscope, firefox, html or svg"},
	{0, "budget", "BYTES",
	 OPT_UNSIGNED(struct report_command, shown.report.budget, LEAST_ANSWER_BYTES, 1000000000),
	 "4000", "with --format markdown: at most this many bytes"},
	{'o', "output", "FILE",
	 OPT_STRING_OF(struct report_command, shown.report.output, HINT_FILE), NULL,
	 "write to this file instead of standard output"},
	REPORT_OUTPUT_ROWS(struct report_command, shown),
	{0},
};

static int run_report(const struct options *options, struct error *err)
{
	struct report_command *command = options->values;
	struct report *report = &command->shown.report;

	report->paths = options->words;
	report_options__finish(&command->shown);
	memory_limit__set(report->max_memory_bytes);
	return memory_limit__explain(report__write(report, err), err);
}

const struct subcommand subcommand_report = {
	.name = "report",
	.summary = "show recorded files, or convert them to another format",
	.usage = "[OPTION...] FILE...",
	.description = "Reads pprof profiles, gzipped or not, of topstacks or of other programs, "
		       "and folded stacks. \"-\" is standard input, a directory stands for the "
		       "files that record wrote there. Several files are added up.",
	.examples = "topstacks report --by function all.pb.gz\n"
		    "topstacks report --tree callers --focus '^malloc$' all.pb.gz\n"
		    "topstacks report --format markdown --budget 2000 all.pb.gz\n"
		    "topstacks report --format html -o all.html all.pb.gz",
	.exit_codes = "0  done\n"
		      "1  names or stacks are worse than --require-quality "
		      "demands\n" EXIT_CODES_OF_FILES,
	.operands = OPERANDS_WORDS,
	.hint = HINT_PROFILE,
	.rows = rows,
	.values_size = sizeof(struct report_command),
	.run = run_report,
};
