/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comparing two sets of runs: which units of a program became slower, and is that real?
 *
 * A comparison is counts: units x runs. A unit is a set of samples: those whose leaf is a function
 * (self), or whose stack has it anywhere (total). Self units partition the samples; a module or a
 * whole stack is a self unit too where one compares by those. Every run belongs to one side.
 * docs/diff.md has the rule, its derivation and its limits.
 */
#ifndef TOPSTACKS_DIFF_COMPARISON_H
#define TOPSTACKS_DIFF_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum side {
	SIDE_BASE,
	SIDE_NEW,
	SIDES,
};

enum unit_kind {
	UNIT_SELF,  /* each sample is in exactly one of these */
	UNIT_TOTAL, /* these overlap */
};

/*
 * Samples whose leaf is a machine unit, or that were taken within an interrupt, are in no other
 * unit's counts: the caller leaves them out of totals too.
 */
struct unit {
	enum unit_kind kind;
	bool machine;		       /* context switches and the like: shown, never gated */
	double min_effect;	       /* instead of the options'; 0: as there */
	const uint64_t *counts;	       /* by run */
	const uint64_t *slices[SIDES]; /* see struct comparison; NULL: none. Self units only */
};

struct comparison {
	const struct unit *units;
	size_t nr_units;
	const enum side *sides; /* by run */
	size_t nr_runs;

	/* Sampled time or work by run, in any unit, > 0: rates are compared. NULL: shares. */
	const double *divisors;

	/*
	 * By run, the part of its samples whose stacks may lack callers, so that totals may lack
	 * these samples. NULL: of none.
	 */
	const double *incomplete;

	/*
	 * Only read with one run a side: the run cut in time, nr_slices[side] counts of every self
	 * unit. From it follows how much samples come in bursts. 0: that is assumed.
	 */
	size_t nr_slices[SIDES];

	/*
	 * For each total unit and run, adds to inside[unit * nr_runs + run] the samples of the unit
	 * whose leaf is self. 0 or negative errno, which decision__init() returns. NULL: no total
	 * units.
	 */
	int (*overlap)(void *context, size_t self, uint64_t *inside);
	void *context;
};

struct decision_options {
	double alpha;	      /* of one false alarm in a comparison, each direction: 0.02 */
	double min_effect;    /* relative: 0.05 */
	double min_points;    /* of all samples: 0.005 */
	double assumed_cv;    /* run to run, where it cannot be estimated: 0.05 */
	double wanted_effect; /* for the runs needed, relative; 0: twice the unit's floor */
};

#endif
