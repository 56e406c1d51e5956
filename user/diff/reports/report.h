/* SPDX-License-Identifier: GPL-2.0-only */
/* The report of a comparison, in a format for each reader. */
#ifndef TOPSTACKS_DIFF_REPORTS_REPORT_H
#define TOPSTACKS_DIFF_REPORTS_REPORT_H

#include "base/common.h"
#include "diff/matching/match.h"
#include "diff/matching/totals.h"
#include "diff/matching/verdict.h"
#include "diff/reports/carriers.h"

/* A comment fits everywhere: Bitbucket allows 32,768 characters, GitHub 65,536. */
#define DIFF_BUDGET	  30000
#define LEAST_DIFF_BUDGET 1000 /* the verdict fits, whatever the noun of the counts is */

struct diff_report {
	const struct match *match;
	const struct decision *decision;
	const struct outcome *outcome;
	const struct decision_options *options;
	const struct totals *totals; /* NULL: not in the report */
	size_t nr_rows;		     /* in the table for people; 0: all */
	size_t budget;		     /* bytes of Markdown at most; 0: DIFF_BUDGET */
	bool unchanged;		     /* list unchanged units, too */
	double required_power;	     /* as in struct compare_plan, but relative */

	/* For a picture, whose units are paths: the same comparison by function. NULL: none. */
	const struct diff_report *functions;

	/* Why the runs may not be comparable, a sentence each. */
	char *const *warnings;
	size_t nr_warnings;
};

/* "text", "markdown", "json"; NULL beyond the last. */
const char *diff_report__format(size_t index);

/* The format is text for people: without UTF-8 it is written in ASCII. Data is not. */
bool diff_report__is_for_people(const char *format);

/* Writes the report in this format. 0, -EINVAL (no such format) or another negative errno. */
int diff_report__write(FILE *out, const struct diff_report *report, const char *format);

/* The formats, one file each. */
void report_text__write(FILE *out, const struct diff_report *report);
void report_markdown__write(FILE *out, const struct diff_report *report);
void report_json__write(FILE *out, const struct diff_report *report);
void report_junit__write(FILE *out, const struct diff_report *report);
void report_github__write(FILE *out, const struct diff_report *report);
void report_bmf__write(FILE *out, const struct diff_report *report);
void report_csv__write(FILE *out, const struct diff_report *report);

/* Prints "name (module)" for a terminal, the name shortened in its middle; module NULL: none. */
void report_text__print_name(FILE *out, const char *name, const char *module);

/* As a page (HTML), or as a picture (SVG). 0 or negative errno. */
int diff_picture__write(FILE *out, const struct diff_report *report, bool page);

/* ---- common to all formats: which units are shown, in which order and words ---- */

/* One unit in words; "": not known, or nothing to say. */
struct unit_row {
	size_t unit;
	const struct finding *finding;
	const char *verdict;
	const char *kind;    /* "self", "total" */
	char change[48];     /* "+8.3 %", "new", "gone", "12 times" */
	char interval[80];   /* "+5 to +12 %" */
	char confidence[16]; /* "99.9 %": probability of a change in this direction */
	char remark[96];     /* other facts */
	bool fails;

	/* Hostile, and set only while a row is printed. The name of a path is its full name. */
	char *name;
	const char *module; /* NULL: not known */
	char *label;	    /* "sort (x)" */

	const struct explanation *explanation; /* if it became slower; NULL: none */

	/*
	 * The unit that took over this one's cost, or gave it, as when a function is inlined. It is
	 * printed after the remark. NULL: none.
	 */
	const char *partner, *partner_module;

	/*
	 * A unit that may have changed instead, in the other direction: shares cannot tell. NULL:
	 * none.
	 */
	const char *rival, *rival_module;

	/* The name in base; NULL: the same. */
	const struct rename *rename;
};

/* Prints other readings of the row: the rival, and the name in base. */
void unit_row__print_readings(FILE *out, const struct unit_row *row,
			      void (*print_name)(FILE *out, const char *name, const char *module));

struct unit_row unit_row__of(const struct diff_report *report, size_t unit);

typedef void print_row(FILE *out, const struct diff_report *report, const struct unit_row *row);

/*
 * Prints the units to show, the most important first: the heading, if there are any, then a row
 * each.
 */
void rows__print_shown(FILE *out, const struct diff_report *report, const char *heading,
		       print_row *print);

/* Chooses the same units, without names. Returns their number; the caller frees *units. */
size_t rows__choose(const struct diff_report *report, size_t **units);

/* Prints all units but the small ones, unsorted, for programs. */
void rows__print_all(FILE *out, const struct diff_report *report, const char *separator,
		     print_row *print);

/*
 * Print sentences about the whole comparison, each on its line. The verdict includes the
 * consumption of a run. The circumstances are how the verdict was found, and how far it can be
 * trusted.
 */
void rows__print_verdict(FILE *out, const struct diff_report *report);
void rows__print_circumstances(FILE *out, const struct diff_report *report);

/* Both, without a final newline. The caller frees it. */
char *rows__summary(const struct diff_report *report);

#endif
