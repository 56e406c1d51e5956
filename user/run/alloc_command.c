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
	enum preload_obstacle obstacle;
	struct events events;
	struct error ignored;
	uint64_t mean_bytes; /* between two samples; 0: there is no alloc event */
	char library[PATH_MAX], *note;
	int code;

	*prepared = (struct alloc_command){0};
	if (events__parse(&events, capture->event, &ignored))
		return 0;
	mean_bytes = alloc_words__mean_of(&events);
	events__free(&events);
	if (!mean_bytes)
		return 0;

	obstacle = preload_fit__check(target->command[0], target->user, err);
	if (obstacle == PRELOAD_STATIC || obstacle == PRELOAD_OWN_MALLOC)
		return use_program(prepared, target->command[0], is_quiet, err);
	if (obstacle)
		return err->code;
	code = preload__find(library, err);
	if (code)
		return code;
	note = is_quiet ? NULL : preload_fit__note(target->command[0]);
	if (note)
		fprintf(stderr, "topstacks: %s\n", note);
	free(note);
	prepared->preloaded = xstrdup(library);
	prepared->environment =
		preload__environment(library, mean_bytes, !capture->follow_children);
	return 0;
}

void alloc_command__free(struct alloc_command *prepared)
{
	if (prepared->program)
		close(prepared->program);
	free(prepared->preloaded);
	free(prepared->environment);
	*prepared = (struct alloc_command){0};
}
