// SPDX-License-Identifier: GPL-2.0-only
/* topstacks list: lists the events that can be sampled on this machine. */

#include "actions/list.h"
#include "commands/subcommand.h"

struct list_options {
	char none;
};

static const struct option_row rows[] = {
	{0},
};

static int run_list(const struct options *options, struct error *err)
{
	if (options->nr_words > 1)
		return error__say(
			err, EXIT_USAGE, -EINVAL,
			"list takes one pattern: put it in quotes, so that the shell leaves it");
	return list__print(stdout, options->words[0], err);
}

const struct subcommand subcommand_list = {
	.name = "list",
	.summary = "list the events that can be sampled here, and what each of them means",
	.usage = "[PATTERN]",
	.description =
		"Prints the events that -e takes on this machine, one in a line, with their "
		"meaning: CPU time, software and hardware events, events of other devices (PMUs), "
		"the syntax of probes, and the kernel's tracepoints. PATTERN is a part of the "
		"name, or a shell pattern. Only root can see tracepoints; the other events need "
		"no rights.",
	.examples = "topstacks list\n"
		    "topstacks list fault\n"
		    "sudo topstacks list 'block:*'\n"
		    "sudo topstacks list 'syscalls:sys_enter_*at'",
	.exit_codes = "0  printed\n"
		      "2  no event of this machine matches the pattern",
	.operands = OPERANDS_WORDS,
	.hint = HINT_EVENT,
	.samples = true,
	.rows = rows,
	.values_size = sizeof(struct list_options),
	.run = run_list,
};
