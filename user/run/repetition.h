/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory of runs of one command, run-001.pb.gz and so on: what diff compares. What they are
 * able to show is asked of the decision itself, by comparing them with themselves.
 */
#ifndef TOPSTACKS_RUN_REPETITION_H
#define TOPSTACKS_RUN_REPETITION_H

#include "base/error.h"
#include "run/kept_run.h"

struct repetition_plan {
	unsigned int nr_runs;	 /* at most */
	unsigned int nr_warm_up; /* before them, not kept */
	double effect;		 /* percent: ends as soon as diff would find it; 0: never */
};

/*
 * Runs the plan's command again and again, into a directory which is made if it is not there; that
 * it has runs already is an error: they would mix. Returns as session__run.
 */
int repetition__record(const struct repetition_plan *plan, const struct kept_run_plan *run,
		       const char *directory, struct error *err);

#endif
