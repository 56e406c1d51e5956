/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pace of a run: which rate, or which part of what is counted, is sampled. It asks the governor what our own
 * cost allows, and tells the sampler at a drain.
 */
#ifndef TOPSTACKS_RUN_PACING_H
#define TOPSTACKS_RUN_PACING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "capture/events/pace.h"
#include "capture/events/sample.h"
#include "run/governor.h"
#include "run/usage.h"

struct batch;
struct sampler;

struct pacing {
	struct sampler *sampler;      /* borrowed */
	struct usage_sources helpers; /* whose cost is ours, too */
	struct governor governor;
	struct pace pace;      /* in force */
	double wanted_hz;      /* by the user, from the next drain on; 0: as it is */
	uint64_t thinned_ns;   /* since when fewer of what is counted are taken; 0: never */
	struct load load;      /* samples so far; their CPU time is read where it is needed */
	unsigned int nr_named; /* samples since pacing__govern() */
	bool is_slower;	       /* since the interval began, or no pace keeps the bound any more */
	bool is_stopped;
};

/* Runs of our programs and CPU time of all that works for us, so far. */
void pacing__read_usage(const struct pacing *pacing, struct usage *usage);

/* Adds the samples of a batch to the load. */
void pacing__count(struct pacing *pacing, const struct batch *batch);

/* The pace that is wanted from here on, or that the bound allows; a member that does not change is 0. */
struct pace pacing__next(struct pacing *pacing);
bool pace__changes(const struct pace *next);

/* *number: of the batch that has everything sampled until now, at the pace before. 0 or negative errno. */
int pacing__drain(struct pacing *pacing, enum drain_moment moment, const struct pace *next,
		  uint64_t *number, struct error *err);

/* Samples at the pace that keeps the bound from here on. 0 or negative errno. */
int pacing__govern(struct pacing *pacing, struct error *err);

#endif
