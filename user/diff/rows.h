/* SPDX-License-Identifier: GPL-2.0-only */
/* What the reports have in common: which units are shown, in which order, in which words. */
#ifndef TOPSTACKS_DIFF_ROWS_H
#define TOPSTACKS_DIFF_ROWS_H

#include <stddef.h>
#include <stdio.h>

#include "diff/report.h"

/* One unit in words; what is not known is "". */
struct unit_row {
	size_t unit;
	const struct finding *finding;
	const char *verdict;
	const char *kind;    /* "self", "total" */
	char change[32];     /* "+8.3 %", "new", "gone", "12 times" */
	char interval[48];   /* "+5 to +12 %" */
	char confidence[16]; /* "99.9 %", that it is a change of this direction */
	char remark[96];     /* what else there is to say */
	size_t partner;	     /* whose name follows the remark; SIZE_MAX: nobody's */
	bool fails;
};

struct unit_row unit_row__of(const struct diff_report *report, size_t unit);

/*
 * The units to show, what matters most first: the heading, if there are any, then a row each. 0 or
 * negative errno, which print may return too.
 */
int rows__print(FILE *out, const struct diff_report *report, const char *heading,
		int (*print)(FILE *out, const struct diff_report *report,
			     const struct unit_row *row));

/*
 * All units but the small ones, as they come, with commas between them, for programs. 0 or negative
 * errno, which print may return.
 */
int rows__print_units(FILE *out, const struct diff_report *report,
		      int (*print)(FILE *out, const struct diff_report *report, size_t unit));

/* Sentences about the comparison as a whole, the verdict first, each behind its prefix. */
void rows__print_summary(FILE *out, const struct diff_report *report, const char *first,
			 const char *rest);

/* The same without prefixes or an end of the last line; the caller's to free(). NULL: no memory. */
char *rows__summary(const struct diff_report *report);

/* The unit with which this one exchanged its cost; SIZE_MAX: none that is known. */
size_t rows__partner(const struct diff_report *report, size_t unit);

/* "self", "total". */
const char *rows__kind(const struct diff_report *report, size_t unit);

/* "sort (x)", for one line; its caller's to free(). NULL: out of memory. */
char *rows__name(const struct diff_report *report, size_t unit);

#endif
