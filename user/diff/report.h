/* SPDX-License-Identifier: GPL-2.0-only */
/* What a comparison found, what is to be said about it, and the formats of those who read it. */
#ifndef TOPSTACKS_DIFF_REPORT_H
#define TOPSTACKS_DIFF_REPORT_H

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

/* The formats, one file each. 0 or negative errno. */
int report_text__write(FILE *out, const struct diff_report *report);
int report_markdown__write(FILE *out, const struct diff_report *report);
int report_json__write(FILE *out, const struct diff_report *report);
int report_junit__write(FILE *out, const struct diff_report *report);
int report_github__write(FILE *out, const struct diff_report *report);
int report_bmf__write(FILE *out, const struct diff_report *report);
int report_csv__write(FILE *out, const struct diff_report *report);

/* As a page (HTML), or as a picture (SVG). 0 or negative errno. */
int diff_picture__write(FILE *out, const struct diff_report *report, bool page);

#endif
