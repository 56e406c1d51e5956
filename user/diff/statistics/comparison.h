/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comparing two sets of runs: which units of a program became slower, and is that real?
 *
 * A comparison is counts: units x runs. A unit is a set of samples: those whose leaf is a function
 * (self), or whose stack has it anywhere (total). Self units partition the samples; a module or a
 * whole stack is a self unit too where one compares by those. Every run belongs to one side.
 * docs/diff.md has the rule, its derivation and its limits.
 */
#ifndef TOPSTACKS_DIFF_STATISTICS_COMPARISON_H
#define TOPSTACKS_DIFF_STATISTICS_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"

enum side {
	SIDE_BASE,
	SIDE_NEW,
	SIDES,
};

/* ---- what is matched, and by what ---- */

struct compared_names;

struct run {
	const struct profile *profile;
	enum side side;
	double divisor;	   /* sampled time or work, in any unit: rates; 0 in all runs: shares */
	double incomplete; /* part of the samples whose stacks, and so totals, may lack callers */

	/*
	 * The run cut in time, of the same dictionary; NULL: a slice without samples. Only looked
	 * at with one run a side. With phases those of base are as long as all of new, each.
	 */
	struct profile *const *slices;
	size_t nr_slices;
};

/* Functions whose normalised names a shell pattern matches, and what is large enough for them. */
struct effect_rule {
	const char *pattern;
	double min_effect;
};

enum match_by {
	MATCH_FUNCTIONS, /* by normalised name and module */
	MATCH_MODULES,
	MATCH_STACKS,	/* whole ones; no total units */
	MATCH_SUBTREES, /* total: stacks that begin alike; self: those that end there */
};

struct match_options {
	enum match_by by;
	const struct compared_names *names;
	const struct effect_rule *effects; /* the last that matches counts */
	size_t nr_effects;
	bool phases; /* slices are counted one by one, and of total units, too */
};

/* ---- what is counted ---- */

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
	bool machine;		/* context switches and the like: shown, never gated */
	double min_effect;	/* instead of the options'; 0: as there */
	const uint64_t *counts; /* by run */
	/* See struct comparison; NULL: none. Self units only, unless there may be phases. */
	const uint64_t *slices[SIDES];
};

struct comparison {
	const struct unit *units;
	size_t nr_units;
	const struct run *runs; /* whose profiles are not looked at */
	size_t nr_runs;

	/*
	 * Only read with one run a side: the run cut in time, nr_slices[side] counts of every self
	 * unit. From it follows how much samples come in bursts. 0: that is assumed.
	 */
	size_t nr_slices[SIDES];
	bool is_independent; /* counts are of samples that come in no bursts, by how they are taken */

	/*
	 * For each total unit and run, adds to inside[unit * nr_runs + run] the samples of the unit
	 * that are those of self units for which selves[] is true. 0 or negative errno, which
	 * decision__init() returns. NULL: no total units.
	 */
	int (*overlap)(void *context, const bool *selves, uint64_t *inside);

	/* Sets callers[] of the self units that call one of selves: it may be inlined there. NULL: nobody knows. */
	void (*mark_callers)(void *context, const bool *selves, bool *callers);
	void *context;
};

/* Rates are compared, not shares. */
static inline bool comparison__is_of_rates(const struct comparison *comparison)
{
	return comparison->nr_runs && comparison->runs[0].divisor > 0;
}

struct decision_options {
	double alpha;	   /* of one false alarm in a comparison, each direction: 0.02 */
	double min_effect; /* relative: 0.05 */
	double min_points; /* of all samples: 0.005 */

	/*
	 * One run a side, which has phases that do not come alike in all of its parts: a unit is
	 * as unsteady as it was in slices of base, each as long as new, and has changed only if it
	 * is beyond what all of these had. Of fewer than MIN_PHASE_SLICES nothing is known.
	 */
	bool phases;
};

#define MIN_PHASE_SLICES 8

/* ---- what is found out about each unit, and about all of them ---- */

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
	double phi; /* that its variance was made with */
	double variance, df;
	double low, high;	     /* 95 % interval of the ratio, of this unit alone */
	double p_up, p_down;	     /* corrected for all tests of this direction; 1 if untested */
	double floor_up, floor_down; /* log ratios */

	/* Of a total: log ratios that lacking callers alone may explain; >= 0, may be infinite. */
	double blur_up, blur_down;

	bool changed;	 /* moved, if little, so clearly that nobody is measured against it */
	bool share_only; /* its share moved, but only because of what others did */
	size_t rival; /* which may have changed instead, the other way: shares do not tell; SIZE_MAX: none */

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
	PHI_BY_UNIT, /* each has its own; that of all is their median */
};

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

	size_t *changed; /* units, in the order in which they were found */
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

struct decision_options decision_options__default(void);

/*
 * Decides about all units, by the rule of docs/diff.md. Equal input gives equal output. *decision is
 * the caller's to fini, also after an error. 0, -ENOMEM, -EINVAL (rates with one run a side), or
 * what overlap() returned.
 */
int decision__init(struct decision *decision, const struct comparison *comparison,
		   const struct decision_options *options);
void decision__fini(struct decision *decision);

#endif
