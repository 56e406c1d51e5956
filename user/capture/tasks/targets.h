/* SPDX-License-Identifier: GPL-2.0-only */
/* From what the user gave, ids in our pid namespace or names, to entries of the kernel's targets map. */
#ifndef TOPSTACKS_CAPTURE_TASKS_TARGETS_H
#define TOPSTACKS_CAPTURE_TASKS_TARGETS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "capture/tasks/judging.h"

struct capture_options;
struct topstacks_bpf;

/* What the user named. */
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
	struct judging judging; /* of those that were asked for by other names */
};

/*
 * Fills the targets map and *targets (free with targets__fini). With children, the programs that
 * follow forks must be attached before: what forks meanwhile is found by one of the two.
 */
int targets__init(struct targets *targets, const struct capture_options *options,
		  struct topstacks_bpf *skeleton, struct error *err);
void targets__fini(struct targets *targets);

/*
 * How many targets live, children included. A process leaves the kernel's map when it is freed;
 * one that the user named and that nobody reaps does not count as living either.
 */
uint64_t targets__nr_living(const struct targets *targets);

#endif
