/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a run of each side took in all, which shares of samples cannot show. Where a core is shared
 * with others, a run takes now and then half as much time again. Then no mean of a few runs says
 * what a run takes, and the sides are compared by the order of their runs instead.
 */
#ifndef TOPSTACKS_DIFF_MATCHING_TOTALS_H
#define TOPSTACKS_DIFF_MATCHING_TOTALS_H

#include <stdio.h>

#include "diff/matching/run_files.h"
#include "diff/statistics/ranks.h"

/* Means of the runs of a side that have samples. */
struct totals {
	double samples[SIDES];
	/* What samples stand for, CPU time or bytes of memory. NULL: not all runs say it. Borrowed of a file. */
	const struct metric *taken_metric;
	double taken[SIDES];
	double change; /* of what was taken, or else of samples, relative: 1 is twice as much. NAN: unknown */
	double half; /* of its 95 % interval; NAN: one run a side tells nothing of it */

	/* By the order of the runs. NAN: a side has none. */
	double ratio;	     /* new to base, the median of all pairs */
	double p_up, p_down; /* by chance, beyond the margin of the options */

	bool end_by_time; /* recordings were of some length, whatever was done in it */

	/*
	 * Runs differ so much that their means tell little, but there are enough of them to judge them
	 * by their order. Where one side has no runs, as if others like these were there.
	 */
	bool need_ranks;

	/* Of what is shown by weights, which nobody judges. NULL: it is none such. Borrowed of a file. */
	const struct metric *weight;
	double weights[SIDES];

	enum verdict verdict; /* of a run as a whole; VERDICT_NOT_COMPARED before totals__judge() */
};

/* Of files that are read. 0 or -ENOMEM. */
int totals__init(struct totals *totals, const struct run_files *files,
		 const struct decision_options *options);

/*
 * The same of numbers, by side: change, half, and all that is by order. A side may be empty. 0 or -ENOMEM.
 */
int totals__compare(struct totals *totals, const struct run_values *sides,
		    const struct decision_options *options);

/* Judges a run as a whole by the order of the runs. */
void totals__judge(struct totals *totals, const struct decision_options *options);

/*
 * "CPU time a run: 1.07 s -> 2.06 s, +93 % (+-4); samples a run: 1,069 -> 2,064", and the line's end. The
 * noun is what is counted: "samples".
 */
void totals__print(FILE *out, const struct totals *totals, const char *noun);

/* "what they weigh is not judged ...: 3 MB → 300 MB a run", and the line's end, if there is such a weight. */
void totals__print_weights(FILE *out, const struct totals *totals, const char *noun);

#endif
