// SPDX-License-Identifier: GPL-2.0-only
#include "commands/target_options.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/quote.h"
#include "run/session.h"

static int check_targets(const struct target_options *options, bool has_command, struct error *err)
{
	int nr_targets =
		(options->pids.nr_ids > 0) + (options->tid > 0) + options->all + has_command;

	if (nr_targets > 1)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "-p, -t, -a and -- COMMAND exclude each other");
	if (options->no_children && !options->pids.nr_ids)
		return error__say(err, EXIT_USAGE, -EINVAL, "--no-children needs -p");
	if (options->user && !has_command)
		return error__say(err, EXIT_USAGE, -EINVAL, "--user needs -- COMMAND");
	if (options->user_only && options->kernel_only)
		return error__say(err, EXIT_USAGE, -EINVAL, "-U and -K exclude each other");
	return 0;
}

static int check_symfs(const struct target_options *options, struct error *err)
{
	struct stat status;
	struct quoted quoted;
	int code = 0;

	if (!options->symfs)
		return 0;
	if (stat(options->symfs, &status))
		code = -errno;
	else if (!S_ISDIR(status.st_mode))
		code = -ENOTDIR;
	return code ? error__set(err, EXIT_USAGE, code, "cannot look below --symfs %s",
				 quote(&quoted, options->symfs))
		    : 0;
}

int target_options__plan(const struct target_options *options, char **words,
			 struct session_plan *plan, struct error *err)
{
	int code = check_targets(options, words[0] != NULL, err);

	if (!code)
		code = check_symfs(options, err);
	if (code)
		return code;
	plan->target = (struct target){
		.pids = options->pids.ids,
		.nr_pids = options->pids.nr_ids,
		.tid = (pid_t)options->tid,
		.command = words[0] ? words : NULL,
		.user = options->user,
	};
	plan->symbols = (struct symbols_options){
		.demangle = !options->no_demangle,
		.symfs = options->symfs,
		.max_bytes = (size_t)options->max_symbol_bytes,
	};
	plan->capture = (struct capture_options){
		.follow_children = !options->no_children && !options->tid,
		.user_stacks = !options->kernel_only,
		.kernel_stacks = !options->user_only,
		.by_thread = options->threads,
		.program_time = options->stats || options->max_overhead > 0,
		.rate_hz = options->rate_hz,
		.cpus = options->cpus.cpus,
		.nr_cpus = options->cpus.nr_cpus,
		.max_depth = options->max_depth,
		.max_memory_bytes = options->max_memory_bytes,
		.unwinder = (enum unwinder)options->unwinder,
		.max_unwind_bytes = options->max_unwind_bytes,
	};
	plan->max_overhead = options->max_overhead;
	return 0;
}
