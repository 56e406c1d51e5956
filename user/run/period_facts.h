/* SPDX-License-Identifier: GPL-2.0-only */
/* All that is known of a time beside its samples: when it was, at which rate, and what it has cost. */
#ifndef TOPSTACKS_RUN_PERIOD_FACTS_H
#define TOPSTACKS_RUN_PERIOD_FACTS_H

#include <stdint.h>

#include "capture/events/pace.h"
#include "profile/recording.h"
#include "run/usage.h"

struct feed;
struct period;

/* Who sampled, and how; all borrowed. */
struct period_source {
	const struct feed *feed;
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
