/* SPDX-License-Identifier: GPL-2.0-only */
/* What is found out about each unit of a comparison, and about all of them. */
#ifndef TOPSTACKS_DIFF_FINDING_H
#define TOPSTACKS_DIFF_FINDING_H

#include <stdbool.h>
#include <stddef.h>

#include "diff/comparison.h"

enum verdict {
	VERDICT_NOT_COMPARED, /* too small to matter, or the machine's */
	VERDICT_REGRESSED,
	VERDICT_IMPROVED,
	VERDICT_UNCHANGED,
	VERDICT_NOT_ENOUGH,
	VERDICTS,
};

/* Why a unit was not tested. */
enum untested {
	TESTED,
	UNTESTED_MACHINE,
	UNTESTED_SMALL,	       /* a share below half of min_points, by the mean of the sides */
	UNTESTED_EMPTY_SIDE,   /* VERDICT_NOT_ENOUGH */
	UNTESTED_NO_REFERENCE, /* VERDICT_NOT_ENOUGH: fewer than 20 samples outside of it */
	UNTESTEDS,
};

struct finding {
	enum verdict verdict;
	enum untested untested;
	double samples[SIDES]; /* sums over runs */
	double share[SIDES];   /* of all samples but the machine's (and its own, for a machine unit)
				*/

	/* exp() of it is the slowdown if nothing else changed but what was taken as changed. */
	double log_ratio;
	double variance, df;
	double low, high;	     /* 95 % interval of the ratio, of this unit alone */
	double p_up, p_down;	     /* corrected for all tests of this direction; 1 if untested */
	double floor_up, floor_down; /* log ratios */

	/* Of a total: log ratios that lacking callers alone may explain; >= 0, may be infinite. */
	double blur_up, blur_down;

	bool changed;	 /* moved, if little, so clearly that nobody is measured against it */
	bool share_only; /* its share moved, but only because of what others did */

	/*
	 * For VERDICT_NOT_ENOUGH of a tested unit: runs a side, and how much longer the runs there
	 * are would have to be (0: however long, more runs are needed).
	 */
	double needed_runs;
	double needed_length;
};

enum phi_source {
	PHI_NOT_NEEDED, /* runs speak for themselves */
	PHI_ESTIMATED,
	PHI_ASSUMED_BURSTS,
};

#define MAX_CHANGED    4
#define SPREAD_WARNING 1.5

struct decision {
	struct finding *findings; /* by unit */
	size_t nr_units;
	size_t nr_tested;
	size_t nr[VERDICTS];

	size_t nr_runs[SIDES];	  /* that have samples */
	double samples[SIDES];	  /* but the machine's */
	double incomplete[SIDES]; /* part of them whose stacks may lack callers */
	unsigned int between_df;  /* d: 0 means run-to-run noise is assumed, not estimated */
	double cv;		  /* tau: run to run, estimated or assumed */
	bool cv_estimated;
	double phi;
	enum phi_source phi_source;

	size_t changed[MAX_CHANGED]; /* units, in the order in which they were found */
	size_t nr_changed;

	/*
	 * Mean of L^2 / v over self units that did not change; 0: none. With one run a side, above
	 * SPREAD_WARNING, runs differ by more than was assumed, or much changed.
	 */
	double spread;

	/* The smallest slowdown of a function with 10 % found with 80 %, relative. INFINITY: none.
	 */
	double found_effect;
};

#endif
