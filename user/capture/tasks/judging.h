/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lets the kernel judge all processes by names (kern/sample/judge.bpf.h): once before sampling, and
 * each time CPU time is summed up, as a process can change without an exec.
 */
#ifndef TOPSTACKS_CAPTURE_TASKS_JUDGING_H
#define TOPSTACKS_CAPTURE_TASKS_JUDGING_H

#include "base/common.h"
#include "capture/tasks/wanted_names.h"

struct bpf_link;
struct capture_options;
struct task_record;

struct judging {
	struct topstacks_bpf *skeleton; /* borrowed */
	struct bpf_link *link;		/* NULL: no names were given */
	struct wanted_names wanted;
};

/*
 * Judges all processes, and reports those that are targets now to on_target. Processes named by id
 * must be in the targets map already. Returns 0 or negative errno; -ESRCH: no process is a target,
 * and no command will become one.
 */
int judging__begin(struct judging *judging, const struct capture_options *options,
		   struct topstacks_bpf *skeleton,
		   int (*on_target)(void *context, const struct task_record *process),
		   void *context, struct error *err);
/* Zeroed is fine. */
void judging__end(struct judging *judging);

/* Judges all running processes again. Returns 0 or negative errno. */
int judging__again(struct judging *judging);

#endif
