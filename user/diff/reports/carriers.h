/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which paths carry the increase of a unit: of whom it is called more, where that goes, and at which
 * lines. Parts add up to the increase; what chance alone may have made is nobody's, but "other".
 *
 *	hot: 100 more samples than base would have had
 *	  handle_request → parse → hot   +80	a path: 80 %
 *	  load_config → parse → hot      +17	a path: 17 %, if chance makes so many in one of 370 cases
 *	  three others                    +3	other:   3 %
 */
#ifndef TOPSTACKS_DIFF_REPORTS_CARRIERS_H
#define TOPSTACKS_DIFF_REPORTS_CARRIERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diff/matching/match.h"
#include "diff/statistics/comparison.h"

#define MOST_CARRIERS	   4
#define MOST_CARRIER_NAMES 6

struct carrier {
	/* Outermost first, without the unit itself; NULL: some that all of its samples have in common. */
	const char *names[MOST_CARRIER_NAMES];
	size_t nr_names;  /* 0: the unit's own code */
	const char *file; /* NULL: not known, or there are several */
	uint32_t line;
	double part; /* of the increase; below 0: it became less here */
};

/* What carries most comes first. */
struct carriers {
	struct carrier of[MOST_CARRIERS];
	size_t nr;
	double other; /* the rest of the increase */
};

/* Of a total, callees too; of a self unit, its lines. Names and files live as long as the match. */
struct explanation {
	struct carriers callers, callees, lines;
	bool passes_on; /* to one callee, whose own row says more */
};

/* What is compared are functions or modules, and this one became slower. */
bool explanation__is_due(const struct match *match, const struct decision *decision, size_t unit);

/* 0 or -ENOMEM. */
int explanation__find(struct explanation *explanation, const struct match *match,
		      const struct decision *decision, size_t unit);

#endif
