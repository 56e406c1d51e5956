/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts for a short time, before sampling, how often a process executes certain instructions. */
#ifndef TOPSTACKS_CAPTURE_PROBES_HIT_COUNTER_H
#define TOPSTACKS_CAPTURE_PROBES_HIT_COUNTER_H

#include "base/common.h"

#define HIT_COUNTER_MAX_PLACES 16

struct counted_place {
	int file;	 /* open file that the process has mapped */
	uint64_t offset; /* of the instruction in the file; a probe must be possible there */
};

struct counted_hits {
	uint64_t nr;	  /* by all threads */
	uint64_t time_ns; /* length of the count */
	/* CPU time of the process in that time, including the cost of the probes */
	uint64_t cpu_ns;
};

/*
 * Puts counting probes into a process of our pid namespace, waits for ns, and removes them; each of
 * these two steps takes the kernel 50 ms. Returns 0 or negative errno with a sentence; -ESRCH: the
 * process is gone; -E2BIG: too many places.
 */
int hit_counter__count(struct counted_hits *hits, int32_t pid, const struct counted_place *places,
		       size_t nr_places, uint64_t ns, struct error *err);

#endif
