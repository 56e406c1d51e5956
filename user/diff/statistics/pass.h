/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One pass over all units: chooses the units to test, and finds how likely chance alone would
 * change each of them so. Units are measured against the reference; composition.c removes changed
 * units from the reference and makes another pass. Steps are numbered as in docs/diff.md.
 */
#ifndef TOPSTACKS_DIFF_STATISTICS_PASS_H
#define TOPSTACKS_DIFF_STATISTICS_PASS_H

#include "diff/statistics/comparison.h"
#include "diff/statistics/statistics.h"

/* Exact sums of counts, even near 2^63; they become doubles after the last subtraction. */
typedef unsigned __int128 wide;

#define MIN_REFERENCE 20 /* least samples outside a unit, on each side */

/* How much each unit varies from slice to slice of base. */
struct phases {
	double *phi;	    /* by unit; 1: as independent samples */
	double *low, *high; /* by unit: lowest and highest share of a slice */
	double median;	    /* of phi */
	double df;	    /* degrees of freedom of each phi; 0: not measured */
};

struct state {
	const struct comparison *input;
	const struct decision_options *options;
	struct decision *decision;
	wide *reference; /* by run: samples of self units, without changed ones */
	wide *all;	 /* by run: reference before the first pass */
	/* unit x run: samples that are also in changed units; NULL: none changed yet */
	uint64_t *inside;
	bool *moved; /* by unit: the first pass found a clear change of its share */
	struct phases phases;
};

/* A unit that is large enough to be tested. */
struct tested_unit {
	size_t unit;
	struct side_sums sums[SIDES];
	double sampling; /* S of docs/diff.md, with phi */
	double g;
	double log_ratio;
	double blur_up, blur_down; /* as in struct finding */
	struct variance variance;
	double score;		    /* clearness of its change, to compare with other units */
	double growth;		    /* log of the ratio of samples a run, new to base */
	double support;		    /* evidence, from other units, that it did not change */
	double p_up, p_down, p_any; /* after Holm; up and down: of a change beyond the margin */
};

struct pass {
	struct tested_unit *tests;
	size_t nr;
	double tau2;
	bool tau2_estimated;
};

/* Makes a pass, which replaces the former one in *pass. Zero *pass before the first one. */
void pass__run(struct pass *pass, const struct state *state);
void pass__fini(struct pass *pass);

/* Makes passes until no other unit leaves the reference; keeps the last one. Zero *pass first. */
void pass__run_all(struct pass *pass, struct state *state);

/* True for self units of the program: they are in the reference until they change. */
bool unit__is_reference(const struct unit *unit);

/* True for runs without samples, which are ignored. */
bool state__is_empty_run(const struct state *state, size_t run);

/*
 * The share of all samples of a side, also of those that left the reference: the share of the time
 * that users wait for. Never 0.
 */
double state__share(const struct state *state, enum side side, double samples);

/*
 * Sums a unit over the runs of each side: K, R and T of docs/diff.md, or time or work instead of T.
 */
void state__sum_runs(const struct state *state, size_t unit, struct side_sums sums[SIDES]);

enum untested state__why_untested(const struct state *state, size_t unit,
				  const struct side_sums sums[SIDES]);

/* The unit's own min_effect, or that of the options. */
double state__min_effect(const struct state *state, size_t unit);

/*
 * Sets *phi: the factor by which counts vary more than independent samples would. False: there are
 * too few samples or slices to tell, and *phi is untouched.
 */
bool bursts__estimate(const struct comparison *comparison, double *phi);

/* Measures phases; df stays 0 if there are too few slices. Zero *phases first. */
void phases__init(struct phases *phases, const struct comparison *comparison);
void phases__fini(struct phases *phases);

/* The phi of one unit. */
static inline double state__phi(const struct state *state, size_t unit)
{
	return state->phases.df > 0 ? state->phases.phi[unit] : state->decision->phi;
}

/* Variance and degrees of freedom with an assumed tau2. */
struct variance state__assumed_variance(const struct state *state, double sampling, double g,
					double tau2);

#endif
