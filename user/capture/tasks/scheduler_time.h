/* SPDX-License-Identifier: GPL-2.0-only */
/* The second account: the CPU time of the target by the scheduler, independent of samples. */
#ifndef TOPSTACKS_CAPTURE_TASKS_SCHEDULER_TIME_H
#define TOPSTACKS_CAPTURE_TASKS_SCHEDULER_TIME_H

#include "base/common.h"

struct bpf_link;
struct cpus;
struct topstacks_bpf;

struct scheduler_time {
	struct topstacks_bpf *skeleton; /* borrowed */
	/* iterator that sums task times; NULL: the whole system is sampled */
	struct bpf_link *task_times;
	const struct cpus *cpus; /* borrowed; for the whole system: only wanted CPUs count */
	/* /proc/stat, for the whole system; kept open, as a run may use up descriptors */
	int stat;
	/* CPU time of all sampled tasks at the last call; not for the whole system */
	uint64_t known_ns;
	uint64_t *known_ticks; /* by CPU, for the whole system, at the last call */
	size_t nr_known_ticks;
};

/* Starts the account at the current CPU time. Returns 0 or negative errno. */
int scheduler_time__open(struct scheduler_time *time, struct topstacks_bpf *skeleton, bool everyone,
			 const struct cpus *cpus, struct error *err);
void scheduler_time__close(struct scheduler_time *time);

/*
 * Returns the CPU time since the last call in *ran_ns; never negative. Returns 0 or negative errno.
 */
int scheduler_time__elapsed(struct scheduler_time *time, uint64_t *ran_ns, struct error *err);

#endif
