/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of code made at run time that are told after its samples were taken, in what is kept of them. */
#ifndef TOPSTACKS_RUN_LATE_H
#define TOPSTACKS_RUN_LATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct late_names;
struct profile;
struct recording;

struct late {
	struct late_names *names; /* borrowed */
	uint64_t nr_samples;	  /* that got names: when their interval ended */
	uint64_t nr_saved;	  /* later, in what is going to be a file */
	uint64_t nr_summed;	  /* later, in the sum of the run */
	size_t nr_seen;		  /* names that were known when late__has_news() was asked last */
};

/* Adds to *nr_samples, one of the above, how many got names. 0, or -ENOMEM and it is as it was. */
int late__rename_profile(struct late *late, struct profile **profile, uint64_t *nr_samples);

/* The same of a recording that is going to be a file, or of a part of it. */
int late__rename_saved(struct late *late, struct recording *recording);

/* Whether there are more names than at the last call. */
bool late__has_news(struct late *late);

#endif
