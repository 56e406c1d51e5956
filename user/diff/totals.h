/* SPDX-License-Identifier: GPL-2.0-only */
/* What a run of each side took in all, which shares of samples cannot show. */
#ifndef TOPSTACKS_DIFF_TOTALS_H
#define TOPSTACKS_DIFF_TOTALS_H

#include <stdio.h>

#include "diff/run_files.h"

/* Means of the runs of a side that have samples. */
struct totals {
	double samples[SIDES];
	double cpu_ns[SIDES]; /* 0: not all runs say it */
	double change; /* of CPU time, or else of samples, relative: 1 is twice as much. NAN: unknown */
	double half; /* of its 95 % interval; NAN: one run a side tells nothing of it */
};

/* Of files that are read. */
struct totals totals__of(const struct run_files *files);

/*
 * "CPU time a run: 1.07 s -> 2.06 s, +93 % (+-4); samples a run: 1,069 -> 2,064", and the line's end. The
 * noun is what is counted: "samples".
 */
void totals__print(FILE *out, const struct totals *totals, const char *noun);

#endif
