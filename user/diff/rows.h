/* SPDX-License-Identifier: GPL-2.0-only */
/* What the reports for people have in common: which units are shown, in which order, in which
 * words. */
#ifndef TOPSTACKS_DIFF_ROWS_H
#define TOPSTACKS_DIFF_ROWS_H

#include <stddef.h>
#include <stdio.h>

#include "topstacks/diff.h"

/* Units to show, what matters most first; *units is the caller's to free(). Number or -ENOMEM. */
long rows__choose(const struct diff_report *report, size_t **units);

/* Sentences about the comparison as a whole, the verdict first, each behind its prefix. */
void rows__print_summary(FILE *out, const struct diff_report *report, const char *first,
			 const char *rest);

/* "+8.3 %", "new", "gone", "12 times". */
void rows__format_change(char *text, size_t size, const struct finding *finding);
/* "+5 to +12 %"; "" if the unit was not tested. */
void rows__format_interval(char *text, size_t size, const struct finding *finding);
/* "99.9 %"; "" if it says nothing about a change. */
void rows__format_confidence(char *text, size_t size, const struct finding *finding);
/* What else there is to say, "" if nothing; the name of who is moved to or from is not in it. */
void rows__format_remark(char *text, size_t size, const struct diff_report *report, size_t unit);

/* The unit with which this one exchanged its cost; SIZE_MAX: none that is known. */
size_t rows__partner(const struct diff_report *report, size_t unit);

/* "self", "total". */
const char *rows__kind(const struct diff_report *report, size_t unit);

/* The formats, one file each. 0 or negative errno. */
int report_text__write(FILE *out, const struct diff_report *report);
int report_markdown__write(FILE *out, const struct diff_report *report);
int report_json__write(FILE *out, const struct diff_report *report);

#endif
