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

struct batch_queue;
struct sampler;

struct pacing {
	struct sampler *sampler;      /* borrowed, as is the queue */
	struct batch_queue *queue;    /* of the sampler, once it is started */
	struct usage_sources helpers; /* other processes whose cost counts as ours */
	struct governor governor;
	struct pace pace;     /* in force */
	double wanted_hz;     /* the user's rate from the next drain on; 0: unchanged */
	uint64_t thinned_ns;  /* since when counted events are thinned; 0: never */
	uint64_t end_ns;      /* when sampling ends by itself; 0: not known */
	uint64_t governed_ns; /* time of the last pacing__govern(); 0: none yet */
	uint64_t named;	      /* number of the last batch that has names */
	uint64_t paced;	      /* number of the batch that ended the pace before; 0: none */
	bool is_slower;	      /* the pace fell in this interval, or cannot keep the bound */
	bool is_stopped;
};

/* Reads the CPU time of this process and its helpers, and the runs of our BPF programs, so far. */
void pacing__read_usage(const struct pacing *pacing, struct usage *usage);

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
