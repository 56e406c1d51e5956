/* SPDX-License-Identifier: GPL-2.0-only */
/* Reasons why files should not be compared. */
#ifndef TOPSTACKS_DIFF_COMPARABLE_H
#define TOPSTACKS_DIFF_COMPARABLE_H

#include "base/common.h"
#include "diff/matching/run_files.h"

enum obstacle {
	OBSTACLE_TYPES,	    /* samples against allocated objects */
	OBSTACLE_EVENT,	    /* cpu-clock against cycles */
	OBSTACLE_UNWINDING, /* frame pointers against ... */
	OBSTACLE_CPU,
	OBSTACLE_CPUS, /* their number */
	OBSTACLE_KERNEL,
	OBSTACLE_HOST,
	OBSTACLE_RATE,	   /* more than 10 times */
	OBSTACLE_DURATION, /* more than 10 times */
	OBSTACLE_LOSSES,   /* more than 1 % of samples or their stacks */
	OBSTACLE_EMPTY,	   /* no samples */
	OBSTACLES,
};

/* "event", "cpu"; NULL beyond the last. */
const char *obstacle__name(enum obstacle obstacle);

struct obstacles {
	char **reasons; /* sentences, safe on a terminal */
	size_t nr, capacity;
	const char *refused; /* one of reasons that no option overrides; or NULL */
};

/*
 * Finds what makes these files incomparable, except for the kinds whose bit (1 << kind) is in
 * allowed.
 */
void obstacles__find(struct obstacles *found, const struct run_file *files, size_t nr_files,
		     unsigned int allowed);
void obstacles__fini(struct obstacles *found);

/* The period of samples in units of the weight; 0: not known. */
double recording__period(const struct recording *recording);

#endif
