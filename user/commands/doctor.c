// SPDX-License-Identifier: GPL-2.0-only
/*
 * topstacks doctor: reports what this kernel offers, what we may do with it, and what would help.
 */
#include "actions/doctor.h"
#include "commands/subcommand.h"

static const struct option_row rows[] = {
	{OPT_SECTION("Output")},
	{0, "json", NULL, OPT_FLAG(struct doctor_options, json), NULL,
	 "print one JSON object instead of a table"},
	{OPT_SECTION("Events")},
	{'e', "event", "EVENT[,EVENT...]",
	 OPT_STRING_OF(struct doctor_options, question.events, HINT_EVENT), NULL,
	 "check only these events: what would be attached, and whether this works"},
	{'p', "pid", "PID[,PID...]", OPT_PIDS(struct doctor_options, question.pids, 1024), NULL,
	 "with -e: look for the functions of probes in these processes"},
	{'F', "rate", "HZ", OPT_NUMBER(struct doctor_options, question.rate_hz, 0.01, 100000), "99",
	 "with -e: samples per second on each CPU, for events that have a rate"},
	{OPT_SECTION("BPF programs")},
	{0, "bpf-stats", "SEC", OPT_SECONDS(struct doctor_options, bpf_stats_s, 0.1, 60), NULL,
	 "have the kernel measure the loaded BPF programs for this time; each of their runs then "
	 "reads a clock twice"},
	{0},
};

static int run_doctor(const struct options *options, struct error *err)
{
	return doctor__report(stdout, options->values, err);
}

const struct subcommand subcommand_doctor = {
	.name = "doctor",
	.summary = "check the kernel and your rights, and say what would help",
	.usage = "[--json] [--bpf-stats SEC]\n"
		 "-e EVENT[,EVENT...] [-p PID[,PID...]] [-F HZ] [--json]",
	.description = "Looks at kernel features, capabilities, sysctls and limits, and lists the "
		       "loaded BPF programs. Tries what the kernel allows, changes nothing, and "
		       "needs no rights. With --bpf-stats the kernel measures the BPF programs for "
		       "a while.",
	.examples =
		"topstacks doctor\n"
		"topstacks doctor --bpf-stats 1\n"
		"sudo topstacks doctor -e 'block:block_rq_issue/weight=bytes/'\n"
		"sudo topstacks doctor -e uprobe:libc:malloc -p 4711\n"
		"topstacks doctor --json | jq -r '.features[] | select(.state != \"ok\") | .name'",
	.exit_codes = "0  topstacks can run here; with -e: the events can be sampled\n"
		      "3  a kernel feature or a capability is missing",
	.operands = OPERANDS_NONE,
	.samples = true,
	.rows = rows,
	.values_size = sizeof(struct doctor_options),
	.run = run_doctor,
};
