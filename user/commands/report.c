// SPDX-License-Identifier: GPL-2.0-only
/* topstacks report: files of ours or of others, shown as text or turned into another format. */
#include "run/report.h"
#include "base/memory_limit.h"
#include "commands/common_rows.h"
#include "commands/subcommand.h"

struct report_options {
	struct report report;
	bool per_process, threads;
};

static const struct option_row rows[] = {
	{OPT_SECTION("What to show")},
	{0, "by",
	 "stack|function|symbol|module|comm|process|thread|line|cgroup|container|wait|state|time",
	 OPT_CHOICE(struct report_options, report.by), "stack", "what the rows of the table are"},
	{0, "tree", "no|callees|callers", OPT_CHOICE(struct report_options, report.tree), "no",
	 "a tree instead: from the root to what is called, or from the leaf to its callers"},
	{0, "sort", "self|total|name", OPT_CHOICE(struct report_options, report.sort), "self",
	 "order of the table, except by stack"},
	{'n', "rows", "N", OPT_UNSIGNED(struct report_options, report.nr_rows, 1, 1000000000), "20",
	 "at most so many rows"},
	{0, "percent-limit", "PERCENT",
	 OPT_NUMBER(struct report_options, report.percent_limit, 0, 100), "0.5",
	 "leave out rows with less"},
	{0, "per-process", NULL, OPT_FLAG(struct report_options, per_process), NULL,
	 "tell processes apart, not only program names"},
	{0, "threads", NULL, OPT_FLAG(struct report_options, threads), NULL,
	 "tell threads apart, where they were recorded"},
	ALL_WAITS_ROW(struct report_options, report.all_waits),
	{0, "lines", NULL, OPT_FLAG(struct report_options, report.lines.lines), NULL,
	 "with source lines; those that the files lack are looked for in the binaries, if these "
	 "are "
	 "still here, with inlined functions"},
	NO_INLINE_ROW(struct report_options, report.lines),
	SYMFS_ROW(struct report_options, report.naming.symfs),
	DEBUGINFOD_ROW(struct report_options, report.naming.debuginfod),
	{OPT_SECTION("Of what")},
	{0, "focus", "REGEX", OPT_STRING(struct report_options, report.choice.focus), NULL,
	 "only stacks with a function or module that matches"},
	{0, "ignore", "REGEX", OPT_STRING(struct report_options, report.choice.ignore), NULL,
	 "without stacks that have such a function or module"},
	{0, "comm", "NAME[,NAME...]",
	 OPT_NAMES_OF(struct report_options, report.choice.comms, 16, HINT_COMM), NULL,
	 "only processes called so, which may be a shell pattern: 'gcc*'"},
	{0, "pid", "PID", OPT_ID_OF(struct report_options, report.choice.pid, HINT_PID), NULL,
	 "only this process"},
	{0, "tid", "TID", OPT_ID_OF(struct report_options, report.choice.tid, HINT_TID), NULL,
	 "only this thread, where threads were recorded"},
	{0, "cgroup", "PATH[,PATH...]",
	 OPT_NAMES_OF(struct report_options, report.choice.cgroups, 16, HINT_CGROUP), NULL,
	 "only processes in this cgroup, and in those below it"},
	{0, "container", "ID[,ID...]",
	 OPT_NAMES_OF(struct report_options, report.choice.containers, 16, HINT_CONTAINER), NULL,
	 "only processes in this container: its name as it is shown, or how its id begins"},
	WAIT_ROWS(struct report_options, report.choice.wait, report.choice.state),
	{0, "time", "FROM-TO", OPT_STRING(struct report_options, report.choice.time), NULL,
	 "only these seconds from the start, of a file with --intervals: 10-20, 10- or -20"},
	{0, "sample-type", "NAME", OPT_STRING(struct report_options, report.sample_type), NULL,
	 "which values to show, such as cpu or inuse_space; otherwise what the file prefers, or "
	 "counts"},
	{OPT_SECTION("Output")},
	{0, "format", "NAME",
	 OPT_STRING_OF(struct report_options, report.format, HINT_REPORT_FORMAT), "text",
	 "text, folded, pprof, otlp, json, csv, speedscope, firefox, html or svg"},
	{'o', "output", "FILE", OPT_STRING_OF(struct report_options, report.output, HINT_FILE),
	 NULL, "write here instead of standard output"},
	{0, "title", "TEXT", OPT_STRING(struct report_options, report.title), NULL,
	 "of a flame graph"},
	{0, "width", "COLUMNS", OPT_UNSIGNED(struct report_options, report.width, 40, 100000), NULL,
	 "shorten names and chains in text so that lines fit in so many columns; otherwise in the "
	 "terminal's, and not at all in a pipe"},
	COLOR_ROW(struct report_options, report.color),
	QUALITY_ROW(struct report_options, report.required_quality),
	FILE_MEMORY_ROW(struct report_options, report.max_memory_bytes),
	{0},
};

static int run_report(const struct options *options, struct error *err)
{
	struct report_options *values = options->values;
	struct report *report = &values->report;

	report->paths = options->words;
	report->merge = values->threads	      ? MERGE_BY_THREAD
			: values->per_process ? MERGE_BY_PROCESS
					      : MERGE_BY_COMM;
	memory_limit__set(report->max_memory_bytes);
	return memory_limit__explain(report__write(report, err), err);
}

const struct subcommand subcommand_report = {
	.name = "report",
	.summary = "show what is in files, or turn them into another format",
	.usage = "[OPTION...] FILE...",
	.description = "Reads gzipped or plain pprof profiles, by topstacks or others, and folded "
		       "stacks; -: standard input. Several files are added up; a directory "
		       "stands for the files that record has written there.",
	.examples = "topstacks report --by function all.pb.gz\n"
		    "topstacks report --tree callers --focus '^malloc$' all.pb.gz\n"
		    "topstacks report --format html -o all.html all.pb.gz",
	.exit_codes = "0  done\n"
		      "1  names or stacks are worse than --require-quality asks "
		      "for\n" EXIT_CODES_OF_FILES,
	.operands = OPERANDS_WORDS,
	.hint = HINT_PROFILE,
	.rows = rows,
	.values_size = sizeof(struct report_options),
	.run = run_report,
};
