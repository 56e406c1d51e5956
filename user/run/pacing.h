/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pacing of a run decides its pace: the rate, or the part of counted events, that is sampled.
 * It asks the governor what our own cost allows, and tells the sampler at a drain.
 */
#ifndef TOPSTACKS_RUN_PACING_H
#define TOPSTACKS_RUN_PACING_H

#include "base/common.h"
#include "capture/events/pace.h"
#include "capture/events/sample.h"
#include "run/governor.h"
#include "run/usage.h"

struct batch;
struct sampler;

struct pacing {
	struct sampler *sampler;      /* borrowed */
	struct usage_sources helpers; /* other processes whose cost counts as ours */
	struct governor governor;
	struct pace pace;      /* in force */
	double wanted_hz;      /* the user's rate from the next drain on; 0: unchanged */
	uint64_t thinned_ns;   /* since when counted events are thinned; 0: never */
	struct load load;      /* totals so far; CPU time is read on demand */
	unsigned int nr_named; /* samples since the last pacing__govern() */
	bool is_slower;	       /* since the interval began, or the bound cannot be kept */
	bool is_stopped;
};

/* Reads the CPU time of this process and its helpers, and the runs of our BPF programs, so far. */
void pacing__read_usage(const struct pacing *pacing, struct usage *usage);

/* Adds the samples of a batch to the load. */
void pacing__count(struct pacing *pacing, const struct batch *batch);

/* The pace that the user wants or the bound allows; a member that does not change is 0. */
struct pace pacing__next(struct pacing *pacing);
bool pace__changes(const struct pace *next);

/*
 * Drains, and applies the next pace. *number: the batch with all that was sampled until now, at the
 * old pace. 0 or negative errno.
 */
int pacing__drain(struct pacing *pacing, enum drain_moment moment, const struct pace *next,
		  uint64_t *number, struct error *err);

/* Asks the governor, and drains to a slower pace if the bound requires one. 0 or negative errno. */
int pacing__govern(struct pacing *pacing, struct error *err);

#endif
