/* SPDX-License-Identifier: GPL-2.0-only */
/* Reports in the formats of those who read them. */
#ifndef TOPSTACKS_DIFF_REPORT_FORMATS_H
#define TOPSTACKS_DIFF_REPORT_FORMATS_H

#include <stdio.h>

#include "diff/report.h"

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

#endif
