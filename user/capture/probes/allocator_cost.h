/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cost of probing each malloc call of a running process, estimated before sampling, so that no
 * process is slowed down without consent.
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_ALLOCATOR_COST_H
#define TOPSTACKS_CAPTURE_PROBES_ALLOCATOR_COST_H

#include "base/common.h"

struct counted_place;

struct allocator_cost {
	double calls;	/* calls a second */
	double call_ns; /* CPU time that a probe adds to each call */
	double own;	/* CPUs that the process uses without probes */
};

/*
 * Counts the calls of the first place for a tenth of a second, and then, unless that is too
 * expensive already, the calls of all others for as long. probe_ns: cost here of a probe with an
 * almost empty program. max_share: see allocator_cost__is_borne. Returns 0 or negative errno with a
 * sentence.
 */
int allocator_cost__measure(struct allocator_cost *cost, int32_t pid,
			    const struct counted_place *places, size_t nr_places, double probe_ns,
			    double max_share, struct error *err);

/*
 * Returns true if the cost is acceptable: up to max_share of a CPU. max_share 0: up to half of what
 * the process uses itself, or an unnoticeable share.
 */
bool allocator_cost__is_borne(const struct allocator_cost *cost, double max_share);

/* Fills err with the estimate and the option that allows it. Returns a negative errno. */
int allocator_cost__refuse(const struct allocator_cost *cost, int32_t pid, const char *comm,
			   struct error *err);

#endif
