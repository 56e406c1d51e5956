/* SPDX-License-Identifier: GPL-2.0-only */
/* A time that is being recorded: what was sampled of each event so far, and what it took. */
#ifndef TOPSTACKS_RUN_PERIOD_H
#define TOPSTACKS_RUN_PERIOD_H

#include <stddef.h>
#include <stdint.h>

#include "capture/events/event.h"
#include "capture/events/pace.h"
#include "profile/recording.h"
#include "run/usage.h"

struct batch;
struct dictionary;
struct late;
struct profile;

/* Zeroed is none. */
struct period {
	/* One an event; all profiles are in one dictionary. */
	struct profile *profiles[ABI_MAX_EVENTS];
	struct ledger ledgers[ABI_MAX_EVENTS];
	bool is_level[ABI_MAX_EVENTS]; /* of what there is, the last that was told counts */
	size_t nr_events;
	uint64_t start_ns;
	struct usage start;
	uint64_t drain_ns, symbols_ns; /* CPU time */

	/* Of all events but the first, as they are handed out: lent, and never freed. */
	struct recording more[ABI_MAX_EVENTS - 1];
};

/* Empties it; profiles are made when there are none yet. Its usage is left zero. 0 or -ENOMEM. */
int period__begin(struct period *period, const struct events *events, struct dictionary *dictionary,
		  uint64_t now_ns);
void period__free(struct period *period);

/* Adds the ledgers and the cost of a batch, not its samples. */
void period__add(struct period *period, const struct batch *batch);

/* Adds another period of the same run. 0 or -ENOMEM. */
int period__merge(struct period *sum, const struct period *more);

/*
 * Makes a copy in another dictionary, with the nr_kept hottest stacks of each event whole. 0, or
 * -ENOMEM and there is nothing to free.
 */
int period__condense(const struct period *period, size_t nr_kept, struct dictionary *fresh,
		     struct period *condensed);

/* late__rename_profile of all events. 0 or -ENOMEM. */
int period__rename(struct period *period, struct late *late, uint64_t *nr_samples);

/* All that is known of a time beside its samples: when it was, at which rate, and what it has cost. */
struct sampler;
struct period;

/* Who sampled, and how; all borrowed. */
struct period_source {
	struct sampler *sampler;
	const struct usage_sources *helpers;
	struct pace pace;    /* in force */
	uint64_t end_ns;     /* of the period */
	uint64_t thinned_ns; /* since when fewer of what is counted are taken; 0: never */
};

/*
 * Fills a recording of each event, the first one and those behind it, which lend all they have from the period.
 * 0 or -ENOMEM.
 */
int period__tell(struct period *period, const struct period_source *source,
		 struct recording *recording);

#endif
