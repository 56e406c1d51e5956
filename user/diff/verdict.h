/* SPDX-License-Identifier: GPL-2.0-only */
/* What fails, and what only moved. */
#ifndef TOPSTACKS_DIFF_VERDICT_H
#define TOPSTACKS_DIFF_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "diff/match.h"
#include "diff/totals.h"

/* "regressed", ..., "not enough samples": the words of every output. */
const char *verdict__name(enum verdict verdict);

/* "regressed", "improved", "regressed:self", "regressed:total>5%", ... */
struct gate_rule {
	enum verdict verdict;
	bool self, total;
	double above; /* the change must be larger, relative */
};

/* 0, or -EINVAL with a sentence. */
int gate_rule__parse(struct gate_rule *rule, const char *text, struct error *err);

/*
 * Cost that moved between a function and its caller or callee, because one was inlined into the
 * other or is no longer, or between functions that were split or merged: their sum did not change.
 */
struct outcome {
	size_t *moved;	/* by unit: the other one, the unit itself if it is not known; SIZE_MAX: not
			*/
	bool *fails;	/* by unit */
	bool run_fails; /* a run as a whole */
	size_t nr_failing; /* units, and the run */
};

/* A unit fails by any of the rules, but not if its cost only moved. 0 or -ENOMEM; then fini. */
int outcome__init(struct outcome *outcome, const struct match *match,
		  const struct decision *decision, const struct gate_rule *rules, size_t nr_rules);
void outcome__fini(struct outcome *outcome);

/* Whether a run as a whole fails by any of the rules, too. It counts as a total. */
void outcome__add_run(struct outcome *outcome, const struct totals *totals,
		      const struct gate_rule *rules, size_t nr_rules);

/*
 * EXIT_GATE if anything fails; else EXIT_USAGE if a side has no samples, or if a slowdown of a 10 %
 * function by required_power (relative; 0: not asked for) might have been missed; else EXIT_DONE.
 */
enum exit_code outcome__exit_code(const struct outcome *outcome, const struct decision *decision,
				  double required_power);

#endif
