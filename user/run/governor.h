/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which pace keeps our own CPU time below a bound. It only slows down, and has no clock of its own: it
 * is told what time it is.
 */
#ifndef TOPSTACKS_RUN_GOVERNOR_H
#define TOPSTACKS_RUN_GOVERNOR_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/events/pace.h"

/* What sampling took so far; all of it may have begun anywhere. */
struct load {
	uint64_t used_ns; /* CPU time */
	uint64_t rated;	  /* samples of events that have a rate */
	uint64_t counted; /* samples of what is counted */
};

struct governor {
	double max_share;	/* of one CPU; 0: no bound */
	double least_hz;	/* it goes no lower; 0: 1 Hz */
	unsigned int nr_spared; /* windows after the first one that are not judged, either */
	uint64_t since_ns;	/* begin of the window that is being judged */
	struct load until;	/* until then */
	unsigned int nr_windows;
	double vain_share;    /* above it the last step saved hardly anything; 0: there was none */
	unsigned int nr_vain; /* windows in a row that were above */
};

/*
 * The pace from now on: the same, or a lower rate, or fewer samples of what is counted; whichever of the two
 * takes more samples gives way first. What there is none of (0) stays so. now_ns: any clock's time; load: so far.
 */
struct pace governor__pace(struct governor *governor, struct pace pace, uint64_t now_ns,
			   const struct load *load);

/* Slowing down does not help any more: the bound is not kept. */
bool governor__is_beyond(const struct governor *governor);

/* The pace is another, by somebody else's wish: nothing is known of it. */
void governor__forget(struct governor *governor);

#endif
