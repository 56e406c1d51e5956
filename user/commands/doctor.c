// SPDX-License-Identifier: GPL-2.0-only
/*
 * topstacks doctor: reports what this kernel offers, what we may do with it, and what would help.
 */
#include "actions/doctor.h"
#include "commands/subcommand.h"

static const struct option_row rows[] = {
	{OPT_SECTION("Output")},
	{0, "json", NULL, OPT_FLAG(struct doctor_options, json), NULL,
	 "one JSON object instead of a table"},
	{OPT_SECTION("Events")},
	{'e', "event", "EVENT[,EVENT...]",
	 OPT_STRING_OF(struct doctor_options, question.events, HINT_EVENT), NULL,
	 "of these events alone: what would be attached, and whether it can be"},
	{'p', "pid", "PID[,PID...]", OPT_PIDS(struct doctor_options, question.pids, 1024), NULL,
	 "probes of these processes"},
	{'F', "rate", "HZ", OPT_NUMBER(struct doctor_options, question.rate_hz, 0.01, 100000), "99",
	 "samples a second on each CPU, of events that have a rate"},
	{OPT_SECTION("BPF programs")},
	{0, "bpf-stats", "SEC", OPT_SECONDS(struct doctor_options, bpf_stats_s, 0.1, 60), NULL,
	 "let the kernel measure the loaded BPF programs for so long, which costs each of their "
	 "runs "
	 "two readings of a clock"},
	{0},
};

static int run_doctor(const struct options *options, struct error *err)
{
	return doctor__report(stdout, options->values, err);
}

const struct subcommand subcommand_doctor = {
	.name = "doctor",
	.summary = "what this kernel offers, what you may do with it, and what would help",
	.usage = "[--json] [--bpf-stats SEC]\n"
		 "-e EVENT[,EVENT...] [-p PID[,PID...]] [-F HZ] [--json]",
	.description = "Looks at kernel features, capabilities, sysctls and limits, and lists the "
		       "BPF programs "
		       "that are loaded. Tries what the kernel allows, leaves nothing changed, and "
		       "needs no rights. --bpf-stats "
		       "has the kernel measure for a while.",
	.examples =
		"topstacks doctor\n"
		"topstacks doctor --bpf-stats 1\n"
		"sudo topstacks doctor -e 'block:block_rq_issue/weight=bytes/'\n"
		"sudo topstacks doctor -e uprobe:libc:malloc -p 4711\n"
		"topstacks doctor --json | jq -r '.features[] | select(.state != \"ok\") | .name'",
	.exit_codes = "0  topstacks can run here; with -e, the events can be had\n"
		      "3  something that it needs is missing",
	.operands = OPERANDS_NONE,
	.samples = true,
	.rows = rows,
	.values_size = sizeof(struct doctor_options),
	.run = run_doctor,
};
