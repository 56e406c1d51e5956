/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Turns the user's ids (in our pid namespace) and names into entries of the kernel's targets map.
 */
#ifndef TOPSTACKS_CAPTURE_TASKS_TARGETS_H
#define TOPSTACKS_CAPTURE_TASKS_TARGETS_H

#include "base/common.h"
#include "capture/tasks/wanted_names.h"

struct bpf_link;
struct capture_options;
struct task_record;
struct topstacks_bpf;

/*
 * Lets the kernel judge all processes by names (kern/sample/judge.bpf.h): once before sampling, and
 * each time CPU time is summed up, as a process can change without an exec.
 */
struct judging {
	struct topstacks_bpf *skeleton; /* borrowed */
	struct bpf_link *link;		/* NULL: no names were given */
	struct wanted_names wanted;
};

/* Judges all running processes again. Returns 0 or negative errno. */
int judging__again(struct judging *judging);

/* A process or thread that the user named by id. */
struct named_target {
	uint32_t id; /* key in the targets map */
	int pidfd;   /* readable when the process has ended; -1 for threads */
};

struct targets {
	struct topstacks_bpf *skeleton; /* borrowed */
	int32_t *pids;			/* processes sampled from the start, in our pid namespace */
	size_t nr_pids, pids_capacity;
	struct named_target *named;
	size_t nr_named, named_capacity;
	struct judging judging; /* of processes selected by other names */
};

/*
 * Fills the targets map and *targets; call targets__fini later. If children are followed, attach
 * the programs that follow forks before: then either they or the list find each child. Returns 0 or
 * negative errno.
 */
int targets__init(struct targets *targets, const struct capture_options *options,
		  struct topstacks_bpf *skeleton, struct error *err);
void targets__fini(struct targets *targets);

/*
 * Returns the number of living targets, children included. A process leaves the kernel's map when
 * it is freed. A zombie that the user named does not count as living either.
 */
uint64_t targets__nr_living(const struct targets *targets);

#endif
