/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Has the kernel judge all processes by names (kern/sample/judge.bpf.h): once before sampling, and then each
 * time that their CPU time is summed up, for those that changed without executing a program.
 */
#ifndef TOPSTACKS_CAPTURE_TASKS_JUDGING_H
#define TOPSTACKS_CAPTURE_TASKS_JUDGING_H

#include <stdint.h>

#include "base/error.h"
#include "capture/tasks/wanted_names.h"

struct bpf_link;
struct capture_options;
struct task_record;

struct judging {
	struct topstacks_bpf *skeleton; /* borrowed */
	struct bpf_link *link;		/* NULL: nobody was asked for by name */
	struct wanted_names wanted;
};

/*
 * Tells of the processes that are targets now. Whom the user named by id is in the targets map already.
 * 0 or negative errno; -ESRCH: nobody is a target, and no command is going to be.
 */
int judging__begin(struct judging *judging, const struct capture_options *options,
		   struct topstacks_bpf *skeleton,
		   int (*on_target)(void *context, const struct task_record *process),
		   void *context, struct error *err);
/* Zeroed is fine. */
void judging__end(struct judging *judging);

/* Judges all that run. 0 or negative errno. */
int judging__again(struct judging *judging);

#endif
