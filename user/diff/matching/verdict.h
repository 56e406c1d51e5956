/* SPDX-License-Identifier: GPL-2.0-only */
/* The gate: which findings fail the comparison, and which are cost that only moved. */
#ifndef TOPSTACKS_DIFF_MATCHING_VERDICT_H
#define TOPSTACKS_DIFF_MATCHING_VERDICT_H

#include "base/common.h"
#include "diff/matching/match.h"
#include "diff/matching/totals.h"

/* "regressed", ..., "not enough samples": every output uses these words. */
const char *verdict__name(enum verdict verdict);

/* A rule of the gate: "regressed", "improved", "regressed:self", "regressed:total>5%", ... */
struct gate_rule {
	enum verdict verdict;
	bool self, total;
	double above; /* smallest change that fails, relative */
};

/* 0, or -EINVAL with err filled. */
int gate_rule__parse(struct gate_rule *rule, const char *text, struct error *err);

/*
 * Cost moves between a function and its caller or callee if one is inlined into the other, or no
 * longer is, and between functions that are split or merged: the sum does not change.
 */
struct outcome {
	/*
	 * By unit: the unit with which cost was exchanged, or the unit itself if that is not known;
	 * SIZE_MAX: none moved.
	 */
	size_t *moved;
	bool *fails;	   /* by unit */
	bool run_fails;	   /* the run as a whole fails */
	size_t nr_failing; /* failing units, and the run */
};

/* A unit fails if any rule matches, unless its cost only moved. */
void outcome__init(struct outcome *outcome, const struct match *match,
		   const struct decision *decision, const struct gate_rule *rules, size_t nr_rules);
void outcome__fini(struct outcome *outcome);

/* Applies the rules to the run as a whole, which counts as a total. */
void outcome__add_run(struct outcome *outcome, const struct totals *totals,
		      const struct gate_rule *rules, size_t nr_rules);

/*
 * Returns EXIT_GATE if anything fails; else EXIT_USAGE if a side has no samples, or if the
 * comparison could have missed a slowdown by required_power (relative; 0: not checked) of a
 * function with 10 % of the samples; else EXIT_DONE.
 */
enum exit_code outcome__exit_code(const struct outcome *outcome, const struct decision *decision,
				  double required_power);

#endif
