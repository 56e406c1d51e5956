/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What it would cost a running process that each of its calls of malloc runs into a probe: known before any is
 * sampled, so that nobody is slowed down who does not want it.
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_ALLOCATOR_COST_H
#define TOPSTACKS_CAPTURE_PROBES_ALLOCATOR_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct counted_place;

struct allocator_cost {
	double calls;	/* a second */
	double call_ns; /* CPU time that a probe adds to each */
	double own;	/* CPUs that the process takes without probes */
};

/*
 * Counts calls of the first place for a tenth of a second, and then those of the other ones as long, unless the first
 * one is more than is borne already. probe_ns: what a probe costs here, with a program that does next to nothing.
 * max_share: as below. 0 or negative errno with a sentence.
 */
int allocator_cost__measure(struct allocator_cost *cost, int32_t pid,
			    const struct counted_place *places, size_t nr_places, double probe_ns,
			    double max_share, struct error *err);

/*
 * Whether it may be: up to max_share of a CPU; 0: nobody has said, and it is half of what the process takes itself,
 * or what nobody would notice.
 */
bool allocator_cost__is_borne(const struct allocator_cost *cost, double max_share);

/* Says what it would be, and how it is allowed. Returns a negative errno. */
int allocator_cost__refuse(const struct allocator_cost *cost, int32_t pid, const char *comm,
			   struct error *err);

#endif
