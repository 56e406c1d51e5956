/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory of runs of one command, run-001.pb.gz and so on: what diff compares. What they are
 * able to show is asked of the decision itself, by comparing them with themselves.
 */
#ifndef TOPSTACKS_RUN_REPETITION_H
#define TOPSTACKS_RUN_REPETITION_H

#include "base/error.h"

/* Makes the directory if it is not there. That it has runs already is an error: they would mix. */
int repetition__prepare(const char *directory, struct error *err);

/* The path of a run, counted from 1; free() it. NULL: out of memory. */
char *repetition__path(const char *directory, unsigned int run);

/*
 * The smallest slowdown (of 1) of a function of 10 % that would be found with 80 % if the first
 * nr_runs were compared with as many others like them. INFINITY: none. 0 or negative errno.
 */
int repetition__found_effect(const char *directory, unsigned int nr_runs, double *effect,
			     struct error *err);

#endif
