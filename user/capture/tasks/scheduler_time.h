/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The second account: the CPU time that the scheduler gave the target, independent of any sample.
 */
#ifndef TOPSTACKS_CAPTURE_TASKS_SCHEDULER_TIME_H
#define TOPSTACKS_CAPTURE_TASKS_SCHEDULER_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct bpf_link;
struct cpus;
struct topstacks_bpf;

struct scheduler_time {
	struct topstacks_bpf *skeleton; /* borrowed */
	struct bpf_link *task_times;	/* NULL: the whole system */
	const struct cpus *cpus;	/* borrowed; of the whole system, those that are wanted */
	int stat;	       /* /proc/stat, of the whole system; a run may use up descriptors */
	uint64_t known_ns;     /* of tasks */
	uint64_t *known_ticks; /* of the whole system, by CPU */
	size_t nr_known_ticks;
};

/* Begins at the CPU time that the target has had so far. 0 or negative errno. */
int scheduler_time__open(struct scheduler_time *time, struct topstacks_bpf *skeleton, bool everyone,
			 const struct cpus *cpus, struct error *err);
void scheduler_time__close(struct scheduler_time *time);

/* CPU time since the last call, in ns; never negative. 0 or negative errno. */
int scheduler_time__elapsed(struct scheduler_time *time, uint64_t *ran_ns, struct error *err);

#endif
