/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The governor picks the pace that keeps our own CPU time below a bound. It only slows down. It has
 * no clock of its own: callers pass the time.
 */
#ifndef TOPSTACKS_RUN_GOVERNOR_H
#define TOPSTACKS_RUN_GOVERNOR_H

#include "base/common.h"
#include "capture/events/pace.h"

/*
 * Running totals of the cost of sampling. Only differences count, so they may begin at any value.
 */
struct load {
	uint64_t used_ns; /* CPU time */
	uint64_t rated;	  /* samples of events that have a rate */
	uint64_t counted; /* samples of counted events, which have a period */
	bool is_behind;	  /* samples of an earlier pace have no names yet */
};

struct governor {
	double max_share;	/* of one CPU; 0: no bound */
	double least_hz;	/* the rate goes no lower; 0: 1 Hz */
	unsigned int nr_spared; /* windows after the first one that are not judged */
	uint64_t since_ns;	/* start of the window that is being judged */
	struct load until;	/* the load at the start of the window */
	bool is_behind;		/* a part of the window's cost is that of an earlier pace */
	unsigned int nr_windows;
	double vain_share;    /* share at or below which the last step did help; 0: no step was
			       * taken */
	unsigned int nr_vain; /* consecutive windows above vain_share */
};

/*
 * Returns the pace from now on: the same, a lower rate, or fewer samples of counted events. The
 * class that takes more samples gives way first. A member that is 0 stays 0. now_ns: from any
 * clock. load: totals up to now.
 */
struct pace governor__pace(struct governor *governor, struct pace pace, uint64_t now_ns,
			   const struct load *load);

/* Begins a window: a new pace is in force. load: totals up to now. */
void governor__begin(struct governor *governor, uint64_t now_ns, const struct load *load);

/* Whether slowing down further would not help: the bound is not kept. */
bool governor__is_beyond(const struct governor *governor);

/* Forgets what was learned of the cost: the user has changed the pace. */
void governor__forget(struct governor *governor);

#endif
