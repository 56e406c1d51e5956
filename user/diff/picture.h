/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison by MATCH_SUBTREES as a flame graph: docs/flamegraph.md. */
#ifndef TOPSTACKS_DIFF_PICTURE_H
#define TOPSTACKS_DIFF_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "diff/report.h"

/* As a page (HTML), or as a picture (SVG). 0 or negative errno. */
int diff_picture__write(FILE *out, const struct diff_report *report, bool page);

#endif
