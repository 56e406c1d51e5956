// SPDX-License-Identifier: GPL-2.0-only
#include "commands/target_options.h"

#include "capture/events/alloc_words.h"
#include "capture/events/event.h"
#include "capture/events/source.h"
#include "symbols/debug/debug_places.h"

#define LEAST_ID   6 /* shortest prefix of a container's ID */
#define DEFAULT_HZ 99

static int check_targets(const struct target_options *options, const struct session_plan *plan,
			 bool has_command, struct error *err)
{
	const struct name_list *containers = &plan->target.names.containers;
	struct quoted quoted;
	int nr_targets =
		(options->pids.nr_ids > 0) + (options->tid > 0) + options->all + has_command;

	if (nr_targets > 1)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "-p, -t, -a and -- COMMAND exclude each other");
	if (options->tid && target_names__any(&plan->target.names))
		return error__say(
			err, EXIT_USAGE, -EINVAL,
			"-t is one thread; --comm, --uid, --cgroup and --container are for "
			"processes");
	if (options->no_children && !options->pids.nr_ids && !has_command &&
	    !plan->target.names.comms.nr_names)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--no-children needs -p, --comm or -- COMMAND");
	if (plan->target.user && !has_command)
		return error__say(err, EXIT_USAGE, -EINVAL, "--user needs -- COMMAND");
	if (options->user_only && options->kernel_only)
		return error__say(err, EXIT_USAGE, -EINVAL, "-U and -K exclude each other");
	/* A short prefix would match many containers; a full name has its engine before it. */
	for (size_t i = 0; i < containers->nr_names; i++)
		if (strlen(containers->names[i]) < LEAST_ID && !strchr(containers->names[i], ':'))
			return error__say(
				err, EXIT_USAGE, -EINVAL,
				"--container needs %d characters of an id, or a name such "
				"as lxc:web, not %s",
				LEAST_ID, quote(&quoted, containers->names[i]));
	return 0;
}

/* Adds --alloc-every and --live to the words of the event. */
static int complete_events(const struct target_options *options, struct session_plan *plan,
			   struct error *err)
{
	char *complete;

	if (!options->alloc_every && !options->live)
		return 0;
	complete = alloc_words__complete(plan->capture.event, options->alloc_every, options->live,
					 err);
	if (!complete)
		return err->code;
	free(plan->capture.event);
	plan->capture.event = complete;
	return 0;
}

/* Checks -F and --slices, and sets the rate if there is none. */
static int plan_rate(struct session_plan *plan, const struct events *events, struct error *err)
{
	struct capture_options *capture = &plan->capture;
	struct quoted quoted;
	bool any_has_rate = false;

	for (size_t i = 0; i < events->nr; i++)
		any_has_rate |= events->list[i].has_rate;
	if (capture->rate_hz > 0 && !any_has_rate && events->list[0].source->is_timed)
		return error__say(
			err, EXIT_USAGE, -EINVAL,
			"-F is for events that are sampled by time; of %s each wait is one: "
			"--max-overhead bounds what it costs",
			quote(&quoted, events->list[0].name));
	if (capture->rate_hz > 0 && !any_has_rate)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "-F is for events that are sampled by time; %s is counted: each "
				  "one is a sample, or one in N with /period=N/",
				  quote(&quoted, events->list[0].name));
	if (capture->rate_hz <= 0 && any_has_rate)
		capture->rate_hz = DEFAULT_HZ;
	/*
	 * Waits last longer than slices, each drain cuts them, and a sample of a wait has no single
	 * time.
	 */
	for (size_t i = 0; i < events->nr && capture->slice_ns; i++)
		if (events->list[i].source->is_timed)
			return error__say(
				err, EXIT_USAGE, -EINVAL,
				"--slices tells when samples were taken, and %s has spans of time; "
				"use --intervals",
				quote(&quoted, events->list[i].name));
	return 0;
}

int target_options__plan(const struct target_options *options, char **words,
			 struct session_plan *plan, struct error *err)
{
	struct capture_options *capture = &plan->capture;
	struct events events = {0};
	int code = check_targets(options, plan, words[0] != NULL, err);

	if (!code)
		code = debug_places__check_symfs(plan->symbols.symfs, err);
	if (!code)
		code = complete_events(options, plan, err);
	if (!code)
		code = events__parse(&events, capture->event, err);
	if (!code) {
		code = plan_rate(plan, &events, err);
		events__free(&events);
	}
	if (code)
		return code;
	plan->target.pids = options->pids.ids;
	plan->target.nr_pids = options->pids.nr_ids;
	plan->target.tid = (pid_t)options->tid;
	plan->target.command = words[0] ? words : NULL;
	plan->symbols.demangle = !options->no_demangle;
	capture->follow_children = !options->no_children && !options->tid;
	capture->user_stacks = !options->kernel_only;
	capture->kernel_stacks = !options->user_only;
	capture->is_bounded = plan->max_overhead > 0;
	capture->max_share = plan->max_overhead / 100;
	capture->program_time = options->stats || capture->is_bounded;
	capture->cpus = options->cpus.cpus;
	capture->nr_cpus = options->cpus.nr_cpus;
	return 0;
}
