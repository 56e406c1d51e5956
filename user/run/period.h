/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A period is a time that is being recorded: the samples of each event so far, and the cost of
 * taking them.
 */
#ifndef TOPSTACKS_RUN_PERIOD_H
#define TOPSTACKS_RUN_PERIOD_H

#include "base/common.h"
#include "capture/events/event.h"
#include "capture/events/pace.h"
#include "profile/recording.h"
#include "run/usage.h"

struct batch;
struct dictionary;
struct late;
struct profile;

/* All zeros: no period. */
struct period {
	/* One profile for each event; all share a dictionary. */
	struct profile *profiles[ABI_MAX_EVENTS];
	struct ledger ledgers[ABI_MAX_EVENTS];
	bool is_level[ABI_MAX_EVENTS]; /* a level, not a sum: the last value told counts */
	size_t nr_events;
	uint64_t start_ns;
	struct usage start;
	uint64_t drain_ns, symbols_ns; /* CPU time */

	/*
	 * Recordings of all events but the first, lent to the caller of period__tell(); never
	 * freed.
	 */
	struct recording more[ABI_MAX_EVENTS - 1];
};

/* Empties the period and creates its profiles if there are none yet. Leaves start zeroed. */
void period__begin(struct period *period, const struct events *events,
		   struct dictionary *dictionary, uint64_t now_ns);
void period__free(struct period *period);

/* Adds the ledgers and the cost of a batch, not its samples. */
void period__add(struct period *period, const struct batch *batch);

/* Adds another period of the same run to sum. */
void period__merge(struct period *sum, const struct period *more);

/*
 * Moves a period to another dictionary; only the nr_kept hottest stacks of each event stay whole.
 */
void period__condense(struct period *period, size_t nr_kept, struct dictionary *fresh);

/* Calls late__rename_profile() for all events. */
void period__rename(struct period *period, struct late *late, uint64_t *nr_samples);

/* The rest of a recording beside its samples: when it was, at which rate, and what it has cost. */
struct sampler;
struct period;

/* Where period__tell() gets the facts from; all borrowed. */
struct period_source {
	struct sampler *sampler;
	const struct usage_sources *helpers;
	struct pace pace;    /* in force */
	uint64_t end_ns;     /* of the period */
	uint64_t thinned_ns; /* since when counted events are thinned; 0: never */
};

/*
 * Fills a recording for each event: *recording for the first, which links to the others. They
 * borrow everything from the period.
 */
void period__tell(struct period *period, const struct period_source *source,
		  struct recording *recording);

#endif
