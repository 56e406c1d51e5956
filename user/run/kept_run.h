/* SPDX-License-Identifier: GPL-2.0-only */
/* A run that is kept: in one file, or, for days, in a directory of files of which the oldest go. */
#ifndef TOPSTACKS_RUN_KEPT_RUN_H
#define TOPSTACKS_RUN_KEPT_RUN_H

#include <stdbool.h>

#include "base/error.h"
#include "run/annotator.h"
#include "run/session.h"

struct kept_run_plan {
	struct session_plan session; /* intervals and ticks are seen to */
	struct line_options lines;
	double slice_s;	      /* kept apart in the file what was sampled in each; 0: not */
	double rotate_s;      /* a new file each time; 0: one file */
	unsigned int nr_kept; /* of those files; 0: as many as for a day of hours */
	bool is_quiet;	      /* no progress, no word about what was written */
	double required_quality;
};

/* What a run would find out at its end is found out before it. 0, or negative errno with err. */
int kept_run__check_output(const struct kept_run_plan *plan, const char *output, struct error *err);

/*
 * From its beginning to its end. output: a path, "-", with rotate_s a directory, or NULL: nothing is
 * kept. Returns as session__run.
 */
int kept_run__record(const struct kept_run_plan *plan, const char *output, struct error *err);

#endif
