/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Carriers of an increase: the paths by which a unit is called more, the callees where the increase
 * goes, and the lines. Parts add up to the increase; parts that chance may have made are "other".
 *
 *	hot: 100 more samples than base would have had
 *	  handle_request → parse → hot   +80	a path: 80 %
 *	  load_config → parse → hot      +17	a path: 17 %, which is chance in 1 of 370 cases
 *	  three others                    +3	other:   3 %
 */
#ifndef TOPSTACKS_DIFF_REPORTS_CARRIERS_H
#define TOPSTACKS_DIFF_REPORTS_CARRIERS_H

#include "base/common.h"
#include "diff/matching/match.h"
#include "diff/statistics/comparison.h"

#define MOST_CARRIERS	   4
#define MOST_CARRIER_NAMES 6

struct carrier {
	/*
	 * Outermost first, without the unit; NULL: left out, as nearly all its samples have these.
	 */
	const char *names[MOST_CARRIER_NAMES];
	size_t nr_names;  /* 0: the unit's own code */
	const char *file; /* NULL: not known, or several files */
	uint32_t line;
	double part; /* of the increase; negative: a decrease */
};

/* Sorted by part, the largest first. */
struct carriers {
	struct carrier of[MOST_CARRIERS];
	size_t nr;
	double other; /* the rest of the increase */
};

/* For a total, callees too; for a self unit, lines. Names and files live as long as the match. */
struct explanation {
	struct carriers callers, callees, lines;
	bool passes_on; /* nearly all goes to one callee, whose own row says more */
};

/* True if a unit has an explanation: it is a function or module that regressed. */
bool explanation__is_due(const struct match *match, const struct decision *decision, size_t unit);

/* Finds all carriers of the unit. */
void explanation__find(struct explanation *explanation, const struct match *match,
		       const struct decision *decision, size_t unit);

#endif
