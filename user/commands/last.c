// SPDX-License-Identifier: GPL-2.0-only
/* topstacks last: shows the past of a running serve as report shows files. */
#include "actions/last.h"
#include "base/system/memory_limit.h"
#include "commands/report_rows.h"
#include "commands/subcommand.h"

struct last_options {
	struct last_plan plan;
	struct report_options shown;
};

static const struct option_row rows[] = {
	{OPT_SECTION("When")},
	{0, "at", "WHEN", OPT_STRING(struct last_options, plan.at), NULL,
	 "show TIME from WHEN on: 14:03:10 (today or yesterday) or 2026-11-26T14:03:10"},
	{0, "diff", NULL, OPT_FLAG(struct last_options, plan.diff), NULL,
	 "show what changed: compare the last TIME, 60 s unless given, with all that was kept "
	 "before it"},
	{OPT_SECTION("What to select")},
	{'p', "pid", "PID", OPT_ID_OF(struct last_options, plan.pid, HINT_PID), NULL,
	 "only this process"},
	{0, "comm", "NAME", OPT_STRING_OF(struct last_options, plan.comm, HINT_COMM), NULL,
	 "only processes with this name (a shell pattern: 'gcc*')"},
	{0, "cgroup", "PATH", OPT_STRING_OF(struct last_options, plan.cgroup, HINT_CGROUP), NULL,
	 "only processes in this cgroup and in the cgroups below it"},
	{0, "container", "ID", OPT_STRING_OF(struct last_options, plan.container, HINT_CONTAINER),
	 NULL, "only processes in this container: its name as shown, or the start of its id"},
	{'e', "event", "EVENT", OPT_STRING_OF(struct last_options, plan.event, HINT_EVENT), NULL,
	 "which event of serve to show, such as off-cpu; otherwise its first one"},
	REPORT_STACK_ROWS(struct last_options, shown),
	REPORT_SAMPLE_ROWS(struct last_options, shown),
	REPORT_SHOW_ROWS(struct last_options, shown),
	{OPT_SECTION("Output")},
	{'o', "output", "FILE", OPT_STRING_OF(struct last_options, shown.report.output, HINT_FILE),
	 NULL, "save the answer here, a gzipped pprof profile, or in the format of --format"},
	{0, "format", "NAME",
	 OPT_STRING_OF(struct last_options, shown.report.format, HINT_REPORT_FORMAT), NULL,
	 "text, folded, pprof, json, csv, speedscope, firefox, html or svg"},
	REPORT_OUTPUT_ROWS(struct last_options, shown),
	{OPT_SECTION("Which server")},
	{0, "socket", "PATH", OPT_STRING_OF(struct last_options, plan.socket, HINT_FILE), NULL,
	 "the socket of serve; otherwise /run/topstacks/serve.sock, or topstacks/serve.sock in "
	 "$XDG_RUNTIME_DIR"},
	{0, "token-file", "FILE", OPT_STRING_OF(struct last_options, plan.token_file, HINT_FILE),
	 NULL,
	 "send the token in this file; otherwise the token in PATH.token beside the socket, if you "
	 "may read it"},
	{0},
};

static int run_last(const struct options *options, struct error *err)
{
	struct last_options *last = options->values;

	if (options->nr_words > 1)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "one TIME is enough: last shows what was since then");
	last->plan.time = options->words[0];
	report_options__finish(&last->shown);
	last->plan.report = last->shown.report;
	memory_limit__set(last->shown.report.max_memory_bytes);
	return memory_limit__explain(last__show(&last->plan, err), err);
}

const struct subcommand subcommand_last = {
	.name = "last",
	.summary = "show what serve sampled in the last seconds, or at some time",
	.usage = "[TIME] [--at WHEN] [-p PID | --comm NAME] [OPTION...]\n"
		 "--diff [TIME] [OPTION...]",
	.description = "Asks topstacks serve for its samples of the last TIME, 30 s unless given, "
		       "and shows them as report shows a file.",
	.examples = "topstacks last 30s\n"
		    "topstacks last 10s --at 14:03:10 --comm nginx --by function\n"
		    "topstacks last 5m -o incident.pb.gz\n"
		    "topstacks last --diff",
	.exit_codes = "0  done\n"
		      "1  names or stacks are worse than --require-quality demands\n"
		      "2  wrong usage, or serve has no such samples\n"
		      "3  serve does not run, or refuses you\n"
		      "4  an internal or I/O error, such as a write to a full disk",
	.operands = OPERANDS_WORDS,
	.rows = rows,
	.values_size = sizeof(struct last_options),
	.run = run_last,
};
