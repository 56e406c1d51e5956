/* SPDX-License-Identifier: GPL-2.0-only */
/* What a comparison found, and what is to be said about it. */
#ifndef TOPSTACKS_DIFF_REPORT_H
#define TOPSTACKS_DIFF_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "diff/finding.h"
#include "diff/match.h"
#include "diff/verdict.h"

struct diff_report {
	const struct match *match;
	const struct decision *decision;
	const struct outcome *outcome;
	const struct decision_options *options;
	size_t nr_rows;	       /* in the table for people; 0: all */
	bool unchanged;	       /* show these too */
	double required_power; /* as above */

	/* Why the runs may not be comparable, one sentence each. */
	char *const *warnings;
	size_t nr_warnings;
};

#endif
