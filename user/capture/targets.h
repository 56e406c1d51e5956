/* SPDX-License-Identifier: GPL-2.0-only */
/* From the ids that the user gave, in our pid namespace, to entries of the kernel's targets map. */
#ifndef TOPSTACKS_CAPTURE_TARGETS_H
#define TOPSTACKS_CAPTURE_TARGETS_H

#include <stddef.h>
#include <stdint.h>

#include "topstacks/error.h"

struct capture_options;
struct topstacks_bpf;

/* Processes that were targets from the start, ids in our pid namespace. */
struct targets {
	int32_t *pids;
	size_t nr_pids;
	size_t nr_named; /* the first of pids are those that the user named */
};

/*
 * Fills the targets map and *targets (free with targets__fini). With children, the programs that
 * follow forks must be attached before: what forks meanwhile is found by one of the two.
 */
int targets__init(struct targets *targets, const struct capture_options *options,
		  struct topstacks_bpf *skeleton, struct error *err);
void targets__fini(struct targets *targets);

#endif
