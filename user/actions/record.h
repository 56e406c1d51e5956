/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run that is recorded: into one file, or, for days, into a directory of files from which the
 * oldest are removed.
 */
#ifndef TOPSTACKS_ACTIONS_RECORD_H
#define TOPSTACKS_ACTIONS_RECORD_H

#include "actions/source_lines.h"
#include "base/common.h"
#include "run/session.h"

struct record_plan {
	struct session_plan session; /* interval_s, tick_s and keeps_all are set by the run;
				      * is_quiet: no progress, and no summary */
	struct line_options lines;
	double slice_s;	      /* length of the slices in the file; 0: no slices */
	double rotate_s;      /* length of each file; 0: one file */
	unsigned int nr_kept; /* files that stay; 0: 24 */
	double required_quality;
};

/* Checks before a run whether the output can be written. 0, or negative errno with err filled. */
int record__check_output(const struct record_plan *plan, const char *output, struct error *err);

/*
 * Makes the run. output: a path, "-", with rotate_s a directory, or NULL: nothing is written.
 * Returns the same as session__run().
 */
int record__run(const struct record_plan *plan, const char *output, struct error *err);

#endif
