/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comparing two sets of runs: which units of a program became slower, and is that real?
 *
 * A comparison is counts: units x runs. A unit is a set of samples: those whose leaf is a function
 * (self), or whose stack has it anywhere (total). Self units partition the samples; a module or a
 * whole stack is a self unit, too, in comparisons by these. Every run belongs to one side.
 * docs/diff.md has the rule, its derivation and its limits.
 */
#ifndef TOPSTACKS_DIFF_STATISTICS_COMPARISON_H
#define TOPSTACKS_DIFF_STATISTICS_COMPARISON_H

#include "base/common.h"
#include "profile/profile.h"

enum side {
	SIDE_BASE,
	SIDE_NEW,
	SIDES,
};

/* ---- runs, and how they are matched ---- */

struct compared_names;

struct run {
	const struct profile *profile;
	enum side side;
	double divisor; /* for rates: sampled time or work, in any unit; 0 in all runs: shares */
	/* part of the samples whose stacks may lack callers, and totals with them */
	double incomplete;

	/*
	 * The run cut in time, in the same dictionary; NULL: a slice without samples. Only read
	 * with one run a side. With phases, each slice of base is as long as all of new.
	 */
	struct profile *const *slices;
	size_t nr_slices;
};

/* A smallest effect of its own for functions whose normalised names match a shell pattern. */
struct effect_rule {
	const char *pattern;
	double min_effect;
};

enum match_by {
	MATCH_FUNCTIONS, /* by normalised name and module */
	MATCH_MODULES,
	MATCH_STACKS,	/* whole ones; no total units */
	MATCH_SUBTREES, /* total: stacks that begin alike; self: stacks that end there */
};

struct match_options {
	enum match_by by;
	const struct compared_names *names;
	const struct effect_rule *effects; /* the last match wins */
	size_t nr_effects;
	bool phases; /* count each slice by itself, of total units, too */
};

/* ---- the counts ---- */

enum unit_kind {
	UNIT_SELF,  /* each sample is in exactly one self unit */
	UNIT_TOTAL, /* a sample may be in several */
};

/*
 * Samples whose leaf is a machine unit, or that were taken within an interrupt, are in no other
 * unit's counts: the caller leaves them out of totals too.
 */
struct unit {
	enum unit_kind kind;
	bool machine;		/* context switches and the like: shown, never gated */
	double min_effect;	/* 0: the options' min_effect */
	const uint64_t *counts; /* by run */
	/*
	 * Counts by slice, see struct comparison; NULL: none. Only self units have them, unless
	 * there may be phases.
	 */
	const uint64_t *slices[SIDES];
};

struct comparison {
	const struct unit *units;
	size_t nr_units;
	const struct run *runs; /* profiles are not read */
	size_t nr_runs;

	/*
	 * Only read with one run a side: the run cut in time, nr_slices[side] counts of every self
	 * unit. They tell how much samples come in bursts. 0: not known, so that it is assumed.
	 */
	size_t nr_slices[SIDES];
	/* Samples cannot come in bursts, by the way they are taken. */
	bool is_independent;

	/*
	 * For each total unit and run, adds to inside[unit * nr_runs + run] the samples that also
	 * are in a self unit with selves[] set. NULL: there are no total units.
	 */
	void (*overlap)(void *context, const bool *selves, uint64_t *inside);

	/*
	 * Sets callers[] of all self units that call one of selves, which may be inlined there.
	 * NULL: callers are not known.
	 */
	void (*mark_callers)(void *context, const bool *selves, bool *callers);
	void *context;
};

/* True if the comparison is of rates, not of shares. */
static inline bool comparison__is_of_rates(const struct comparison *comparison)
{
	return comparison->nr_runs && comparison->runs[0].divisor > 0;
}

struct decision_options {
	/* probability of a false alarm in one direction, in all units together: 0.02 */
	double alpha;
	double min_effect; /* smallest effect that matters, relative: 0.05 */
	double min_points; /* smallest change that matters, as a part of all samples: 0.005 */

	/*
	 * One run a side, with phases: different things at different times. A unit counts as
	 * unsteady as it was in slices of base, each as long as new. It has changed only if new is
	 * outside the range of these slices. With fewer than MIN_PHASE_SLICES nothing is decided.
	 */
	bool phases;
};

#define MIN_PHASE_SLICES 8

/* ---- findings about each unit, and about all of them ---- */

enum verdict {
	VERDICT_NOT_COMPARED, /* too small to matter, or a machine unit */
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
	UNTESTED_SMALL,	       /* mean share of both sides below half of min_points */
	UNTESTED_EMPTY_SIDE,   /* VERDICT_NOT_ENOUGH */
	UNTESTED_NO_REFERENCE, /* VERDICT_NOT_ENOUGH: fewer than 20 samples outside of it */
	UNTESTEDS,
};

struct finding {
	enum verdict verdict;
	enum untested untested;
	double samples[SIDES]; /* sums over runs */
	/* of all samples without machine units; for a machine unit, of these and its own */
	double share[SIDES];

	/* exp(log_ratio) is the slowdown, if all units of the reference are unchanged. */
	double log_ratio;
	double phi; /* the dispersion in its variance */
	double variance, df;
	double low, high;	     /* 95 % interval of the ratio, not corrected for other units */
	double p_up, p_down;	     /* corrected for all tests of one direction; 1: untested */
	double floor_up, floor_down; /* smallest log ratios that matter */

	/* For a total: log ratios that lacking callers alone could cause; >= 0, may be infinite. */
	double blur_up, blur_down;

	bool changed;	 /* clearly changed, if little: left out of the reference */
	bool share_only; /* only its share changed, because of changes in others */
	/*
	 * The unit that may have changed instead, in the other direction: shares cannot tell;
	 * SIZE_MAX: none.
	 */
	size_t rival;

	/*
	 * For VERDICT_NOT_ENOUGH of a tested unit: the runs needed a side; and how many times as
	 * long the present runs would have to be (0: no length is enough).
	 */
	double needed_runs;
	double needed_length;
};

enum phi_source {
	PHI_NOT_NEEDED, /* the differences between runs are known */
	PHI_ESTIMATED,
	PHI_ASSUMED_BURSTS,
	PHI_BY_UNIT, /* each unit has its own; phi is their median */
};

#define SPREAD_WARNING 1.5

struct decision {
	struct finding *findings; /* by unit */
	size_t nr_units;
	size_t nr_tested;
	size_t nr[VERDICTS];

	size_t nr_runs[SIDES];	  /* with samples */
	double samples[SIDES];	  /* without machine units */
	double incomplete[SIDES]; /* part of samples whose stacks may lack callers */
	/* d of docs/diff.md; 0: noise between runs is assumed, not estimated */
	unsigned int between_df;
	double cv; /* tau: relative deviation from run to run, estimated or assumed */
	bool cv_estimated;
	double phi;
	enum phi_source phi_source;

	size_t *changed; /* units that left the reference, in that order */
	size_t nr_changed;

	/*
	 * Mean of L^2 / v over unchanged self units; 0: none. With one run a side, a value above
	 * SPREAD_WARNING means that runs differ by more than was assumed, or that much changed.
	 */
	double spread;

	/*
	 * The smallest slowdown of a function with 10 % of the samples that is found in 80 % of
	 * cases, relative. INFINITY: none.
	 */
	double found_effect;
};

struct decision_options decision_options__default(void);

/*
 * Decides about all units, by the rule of docs/diff.md. Equal input gives equal output. *decision
 * is the caller's to fini, also after an error. 0, or -EINVAL: rates with one run a side.
 */
int decision__init(struct decision *decision, const struct comparison *comparison,
		   const struct decision_options *options);
void decision__fini(struct decision *decision);

#endif
