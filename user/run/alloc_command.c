// SPDX-License-Identifier: GPL-2.0-only
#include "run/alloc_command.h"

#include <limits.h>
#include <unistd.h>

#include "capture/events/alloc_words.h"
#include "capture/events/event.h"
#include "capture/probes/probe_cost.h"
#include "run/preload/preload.h"
#include "run/preload/preload_fit.h"
#include "run/preload/program_file.h"
#include "run/target.h"

/*
 * The mean number of bytes between two samples of the alloc event in text; 0: text has no such
 * event.
 */
static uint64_t mean_bytes(const char *text)
{
	struct events events;
	struct error err;
	uint64_t mean;

	if (events__parse(&events, text, &err))
		return 0;
	mean = alloc_words__mean_of(&events);
	events__free(&events);
	return mean;
}

static void tell_note(const char *command)
{
	char *note = preload_fit__note(command);

	if (note)
		fprintf(stderr, "topstacks: %s\n", note);
	free(note);
}

/*
 * Opens the program so that its own malloc is probed instead. Every call hits the probe, sampled or
 * not.
 */
static int use_program(struct alloc_command *prepared, const char *command, bool is_quiet,
		       struct error *err)
{
	struct quoted quoted;
	double ns = 0;
	const int file = program_file__open(command);
	int code = probe_cost__measure(true, false, &ns, err);

	if (!code && file > 0 && !is_quiet)
		fprintf(stderr,
			"topstacks: %s cannot have the allocation library: each call of its malloc "
			"is hit by a probe instead, which takes it %.1f us\n",
			quote(&quoted, command), ns / 1000);
	prepared->program = file > 0 ? file : 0;
	return code;
}

int alloc_command__prepare(struct alloc_command *prepared, const struct target *target,
			   const struct capture_options *capture, bool is_quiet, struct error *err)
{
	const uint64_t mean = mean_bytes(capture->event);
	enum preload_obstacle obstacle;
	char library[PATH_MAX];
	int code;

	*prepared = (struct alloc_command){0};
	if (!mean)
		return 0;
	obstacle = preload_fit__check(target->command[0], target->user, err);
	if (obstacle == PRELOAD_STATIC || obstacle == PRELOAD_OWN_MALLOC)
		return use_program(prepared, target->command[0], is_quiet, err);
	if (obstacle)
		return err->code;
	code = preload__find(library, err);
	if (code)
		return code;
	if (!is_quiet)
		tell_note(target->command[0]);
	prepared->preloaded = strdup(library);
	prepared->environment = preload__environment(library, mean, !capture->follow_children);
	return prepared->preloaded && prepared->environment ? 0 : error__no_memory(err);
}

void alloc_command__free(struct alloc_command *prepared)
{
	if (prepared->program)
		close(prepared->program);
	free(prepared->preloaded);
	free(prepared->environment);
	*prepared = (struct alloc_command){0};
}
