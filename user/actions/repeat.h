/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs one command again and again, and keeps the recordings as run-001.pb.gz and so on in a
 * directory, which diff can compare with others. The smallest slowdown that they can show is
 * estimated by having diff compare them with themselves.
 *
 * Each run is made in a process of its own, which gives up its rights like any that samples. The
 * runs are judged in another one.
 */
#ifndef TOPSTACKS_ACTIONS_REPEAT_H
#define TOPSTACKS_ACTIONS_REPEAT_H

#include "actions/record.h"
#include "base/common.h"

struct repeat_plan {
	unsigned int nr_runs;	 /* maximum */
	unsigned int nr_warm_up; /* runs before them, not recorded */
	double effect;		 /* in percent: stop as soon as diff would find it; 0: never */
};

/*
 * Makes the runs. Creates the directory if needed; it is an error if it has runs already, for they
 * would mix. Returns the same as session__run().
 */
int repeat__run(const struct repeat_plan *plan, const struct record_plan *run,
		const char *directory, struct error *err);

#endif
