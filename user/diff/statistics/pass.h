/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One pass over all units: which are tested, and how unlikely each one's change is by chance. Each
 * unit is measured against the reference; composition.c takes from the reference what changed and
 * makes another pass. Steps are numbered as in docs/diff.md.
 */
#ifndef TOPSTACKS_DIFF_STATISTICS_PASS_H
#define TOPSTACKS_DIFF_STATISTICS_PASS_H

#include "diff/statistics/comparison.h"
#include "diff/statistics/statistics.h"

/* Sums of counts near 2^63 are exact; they become doubles when nothing is subtracted any more. */
typedef unsigned __int128 wide;

#define MIN_REFERENCE 20 /* samples outside a unit, each side */

/* How much units vary from slice to slice of base, each unit by itself. */
struct phases {
	double *phi;	    /* by unit; 1: as independent samples would */
	double *low, *high; /* by unit: shares of all samples, in the slices */
	double median;	    /* of phi */
	double df;	    /* of each estimate; 0: nothing is known */
};

struct state {
	const struct comparison *input;
	const struct decision_options *options;
	struct decision *decision;
	wide *reference;  /* by run: samples of self units, less those that changed */
	wide *all;	  /* by run: the same as it was in the first pass */
	uint64_t *inside; /* unit x run: samples of what changed; NULL before the first change */
	bool *moved;	  /* by unit: its share differs clearly in the first pass */
	struct phases phases;
};

/* A unit that is large enough to be tested. */
struct tested_unit {
	size_t unit;
	struct side_sums sums[SIDES];
	double sampling; /* S, with phi */
	double g;
	double log_ratio;
	double blur_up, blur_down; /* see struct finding */
	struct variance variance;
	double score;		    /* how clear a change it is, beside others */
	double growth;		    /* log of samples a run, new to base */
	double support;		    /* how many others say that it did not change */
	double p_up, p_down, p_any; /* by Holm; up and down: beyond the margin */
};

struct pass {
	struct tested_unit *tests;
	size_t nr;
	double tau2;
	bool tau2_estimated;
};

/* Makes a pass, in place of the one there. Zero it first. 0 or -ENOMEM. */
int pass__run(struct pass *pass, const struct state *state);
void pass__fini(struct pass *pass);

/* Passes until nothing else is to leave the reference; the last one stays. Zero it first. 0 or negative errno. */
int pass__run_all(struct pass *pass, struct state *state);

/* A self unit of the program: part of the reference as long as it has not changed. */
bool unit__is_reference(const struct unit *unit);

/* Runs without samples say nothing and count for nothing. */
bool state__is_empty_run(const struct state *state, size_t run);

/*
 * The share of all samples of a side, whatever has left the reference: what matters to whom waits
 * for the program. Never 0.
 */
double state__share(const struct state *state, enum side side, double samples);

/* K, R and T of a unit, or of time or work. */
void state__sum_runs(const struct state *state, size_t unit, struct side_sums sums[SIDES]);

enum untested state__why_untested(const struct state *state, size_t unit,
				  const struct side_sums sums[SIDES]);

/* The unit's own min_effect, or everybody's. */
double state__min_effect(const struct state *state, size_t unit);

/*
 * Sets *phi: the factor by which counts vary more than independent samples would. Returns 1, or 0
 * if there are too few samples or slices to tell (*phi is untouched), or -ENOMEM.
 */
int bursts__estimate(const struct comparison *comparison, double *phi);

/* Zero it first. Leaves it so if there are too few slices. 0 or -ENOMEM; fini either way. */
int phases__init(struct phases *phases, const struct comparison *comparison);
void phases__fini(struct phases *phases);

/* phi of a unit. */
static inline double state__phi(const struct state *state, size_t unit)
{
	return state->phases.df > 0 ? state->phases.phi[unit] : state->decision->phi;
}

/* v and df where tau2 is assumed. */
struct variance state__assumed_variance(const struct state *state, double sampling, double g,
					double tau2);

#endif
