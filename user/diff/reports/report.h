/* SPDX-License-Identifier: GPL-2.0-only */
/* What a comparison found, what is to be said about it, and the formats of those who read it. */
#ifndef TOPSTACKS_DIFF_REPORTS_REPORT_H
#define TOPSTACKS_DIFF_REPORTS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "diff/matching/match.h"
#include "diff/matching/totals.h"
#include "diff/matching/verdict.h"
#include "diff/reports/carriers.h"

/* A comment fits everywhere: Bitbucket allows 32,768 characters, GitHub 65,536. */
#define DIFF_BUDGET	  30000
#define LEAST_DIFF_BUDGET 1000 /* the verdict fits, whatever is counted */

struct diff_report {
	const struct match *match;
	const struct decision *decision;
	const struct outcome *outcome;
	const struct decision_options *options;
	const struct totals *totals; /* NULL: they are not to be said */
	size_t nr_rows;		     /* in the table for people; 0: all */
	size_t budget;		     /* bytes of Markdown at most; 0: DIFF_BUDGET */
	bool unchanged;		     /* show these too */
	double required_power;	     /* as above */

	/* The same by function: for a picture, whose units are paths. NULL: there is none. */
	const struct diff_report *functions;

	/* Why the runs may not be comparable, one sentence each. */
	char *const *warnings;
	size_t nr_warnings;
};

/* "text", "markdown", "json"; NULL beyond the last. */
const char *diff_report__format(size_t index);

/* Words rather than data: whoever has no UTF-8 wants them in ASCII. */
bool diff_report__is_for_people(const char *format);

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

/* ---- what the formats have in common: which units are shown, in which order and words ---- */

/* One unit in words; what is not known is "". */
struct unit_row {
	size_t unit;
	const struct finding *finding;
	const char *verdict;
	const char *kind;    /* "self", "total" */
	char change[48];     /* "+8.3 %", "new", "gone", "12 times" */
	char interval[80];   /* "+5 to +12 %" */
	char confidence[16]; /* "99.9 %", that it is a change of this direction */
	char remark[96];     /* what else there is to say */
	bool fails;

	/* Hostile, and only in a row that is printed. Of a path the name is all of it. */
	char *name;
	const char *module; /* NULL: none known */
	char *label;	    /* "sort (x)" */

	const struct explanation *explanation; /* of what became slower; NULL: none */

	/* Of the unit with which this one exchanged its cost, to follow the remark; NULL: none. */
	const char *partner, *partner_module;

	/* Which may have changed instead, the other way, for all that shares tell; NULL: none. */
	const char *rival, *rival_module;

	/* What base calls the function; NULL: the same. */
	const struct rename *rename;
};

/* Writes what else the row may mean: a function that may have changed instead, and what base calls this one. */
void unit_row__print_readings(FILE *out, const struct unit_row *row,
			      void (*print_name)(FILE *out, const char *name, const char *module));

struct unit_row unit_row__of(const struct diff_report *report, size_t unit);

/* 0 or negative errno. */
typedef int print_row(FILE *out, const struct diff_report *report, const struct unit_row *row);

/*
 * The units to show, what matters most first: the heading, if there are any, then a row each. 0 or
 * negative errno.
 */
int rows__print_shown(FILE *out, const struct diff_report *report, const char *heading,
		      print_row *print);

/* The same units, without names: how many, or -ENOMEM; the caller's to free(). */
long rows__choose(const struct diff_report *report, size_t **units);

/* All units but the small ones, as they come, for programs. 0 or negative errno. */
int rows__print_all(FILE *out, const struct diff_report *report, const char *separator,
		    print_row *print);

/*
 * Sentences about the comparison as a whole, each on its line: the verdict and what a run takes; and how
 * that was found, and how far it can be trusted.
 */
void rows__print_verdict(FILE *out, const struct diff_report *report);
void rows__print_circumstances(FILE *out, const struct diff_report *report);

/* Both, without an end of the last line; the caller's to free(). NULL: no memory. */
char *rows__summary(const struct diff_report *report);

#endif
