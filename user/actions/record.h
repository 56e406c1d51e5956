/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run that is kept: in one file; or, for days, in a directory of files, of which the oldest are
 * removed.
 */
#ifndef TOPSTACKS_ACTIONS_RECORD_H
#define TOPSTACKS_ACTIONS_RECORD_H

#include <stdbool.h>

#include "actions/source_lines.h"
#include "base/error.h"
#include "run/session.h"

struct kept_run_plan {
	struct session_plan session; /* its interval_s, tick_s and keeps_all are seen to;
					with is_quiet no progress, and no word about what was written */
	struct line_options lines;
	double slice_s;	      /* length of intervals that stay apart in the file; 0: none */
	double rotate_s;      /* a new file each time; 0: one file */
	unsigned int nr_kept; /* of those files; 0: 24 */
	double required_quality;
};

/* Whether the output can be written, before a run is made for it. 0, or negative errno with err. */
int kept_run__check_output(const struct kept_run_plan *plan, const char *output, struct error *err);

/*
 * Makes the run. output: a path, "-", with rotate_s a directory, or NULL: nothing is kept. Returns
 * as session__run.
 */
int kept_run__record(const struct kept_run_plan *plan, const char *output, struct error *err);

#endif
