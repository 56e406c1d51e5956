/* SPDX-License-Identifier: GPL-2.0-only */
/* How often a process passes some instructions, counted for a while before anything is sampled. */
#ifndef TOPSTACKS_CAPTURE_PROBES_HIT_COUNTER_H
#define TOPSTACKS_CAPTURE_PROBES_HIT_COUNTER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define HIT_COUNTER_MAX_PLACES 16

struct counted_place {
	int file;	 /* that the process has mapped */
	uint64_t offset; /* of the instruction in it; it must be one that can have a probe */
};

struct counted_hits {
	uint64_t nr;	  /* by all threads */
	uint64_t time_ns; /* in so much time */
	uint64_t cpu_ns;  /* that the process ran meanwhile, with what the probes cost it */
};

/*
 * Puts probes that only count into a process of our pid namespace, waits for so many ns, and takes them out; for these
 * steps the kernel waits for 50 ms each. 0 or negative errno with a sentence; -ESRCH: it is gone; -E2BIG: too many
 * places.
 */
int hit_counter__count(struct counted_hits *hits, int32_t pid, const struct counted_place *places,
		       size_t nr_places, uint64_t ns, struct error *err);

#endif
