/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Late names: names that a runtime tells after samples of its code were taken, applied to stored
 * profiles.
 */
#ifndef TOPSTACKS_RUN_LATE_H
#define TOPSTACKS_RUN_LATE_H

#include "base/common.h"

struct late_names;
struct profile;
struct recording;

struct late {
	struct late_names *names; /* borrowed */
	uint64_t nr_samples;	  /* renamed when their interval ended */
	uint64_t nr_saved;	  /* renamed later, in a recording for a file */
	uint64_t nr_summed;	  /* renamed later, in the sum of the run */
	size_t nr_seen;		  /* names known at the last late__has_news() */
};

/*
 * Renames frames of the profile and adds the number of samples concerned to *nr_samples, a counter
 * of struct late.
 */
void late__rename_profile(struct late *late, struct profile **profile, uint64_t *nr_samples);

/*
 * Renames frames of a recording, or of a part of one, that will be written to a file; adds to
 * nr_saved.
 */
void late__rename_saved(struct late *late, struct recording *recording);

/* Whether new names came since the last call. */
bool late__has_news(struct late *late);

#endif
