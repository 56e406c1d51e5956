/* SPDX-License-Identifier: GPL-2.0-only */
/* What a comparison found, in the words and the formats of those who read it. */
#ifndef TOPSTACKS_DIFF_REPORTS_H
#define TOPSTACKS_DIFF_REPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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

/* "text", "markdown", "json"; NULL beyond the last. */
const char *diff_report__format(size_t index);

/* Writes in one of these. 0, -EINVAL (no such format) or another negative errno. */
int diff_report__write(FILE *out, const struct diff_report *report, const char *format);

#endif
