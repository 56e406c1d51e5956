/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs of one command again and again, kept as run-001.pb.gz and so on in a directory, which diff
 * can compare with others. What slowdown they would show is what diff decides when they are
 * compared with themselves.
 *
 * Each run is made in a process of its own, which gives up its rights like any that samples, and is
 * judged in another.
 */
#ifndef TOPSTACKS_ACTIONS_REPEAT_H
#define TOPSTACKS_ACTIONS_REPEAT_H

#include "actions/record.h"
#include "base/error.h"

struct repetition_plan {
	unsigned int nr_runs;	 /* at most */
	unsigned int nr_warm_up; /* before them, not kept */
	double effect;		 /* percent: ends as soon as diff would find it; 0: never */
};

/*
 * Makes the runs. The directory is made if it is not there; it is an error if it has runs already,
 * for they would mix. Returns as session__run.
 */
int repetition__record(const struct repetition_plan *plan, const struct kept_run_plan *run,
		       const char *directory, struct error *err);

#endif
