/* SPDX-License-Identifier: GPL-2.0-only */
/* What a test can see: the smallest change it finds, and what it would take to see a smaller one.
 */
#ifndef TOPSTACKS_DIFF_POWER_H
#define TOPSTACKS_DIFF_POWER_H

#include "diff/statistics.h"

struct test_rule {
	double margin; /* the change is tested to be larger than this log ratio */
	double floor;  /* and must itself be at least this one */
	double tail;   /* alpha / number of tests */
	double power;  /* the probability to find it */
};

/* The smallest log ratio that is found at this variance. */
double found_size(const struct test_rule *rule, struct variance variance);

/* Where a unit stands. */
struct standing {
	double sampling;	  /* its part of the variance; the rest is between runs */
	struct variance variance; /* all of it */
	double nr_runs;		  /* a side; for sides of unequal numbers their harmonic mean */
	double between_df;	  /* d */
};

/* Runs a side for a change of size to be found, at least 2; INFINITY: more than a million. */
double needed_runs(const struct test_rule *rule, double size, const struct standing *now);

/* How many times as long the same number of runs would have to be, at least 1; 0: never enough. */
double needed_length(const struct test_rule *rule, double size, const struct standing *now);

/*
 * The same for a unit that one side lacks altogether: its variance remains that of half a sample,
 * but L grows by the log of the samples that are more.
 */
struct absent {
	double size; /* |L| as it is */
	double blur; /* of it, what stacks that lack callers may be (u of docs/diff.md) */
};

double needed_runs_absent(const struct test_rule *rule, const struct absent *unit,
			  const struct standing *now);
double needed_length_absent(const struct test_rule *rule, const struct absent *unit,
			    const struct standing *now);

#endif
