/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The consumption of a whole run of each side, which shares of samples cannot show. On a machine
 * shared with others, a run now and then takes half as much time again. The mean of a few runs
 * means little then, so the runs are compared by their ranks instead.
 */
#ifndef TOPSTACKS_DIFF_MATCHING_TOTALS_H
#define TOPSTACKS_DIFF_MATCHING_TOTALS_H

#include "base/common.h"
#include "diff/matching/run_files.h"
#include "diff/statistics/statistics.h"

/* Means of the runs of a side that have samples. */
struct totals {
	double samples[SIDES];
	/*
	 * The metric that samples stand for, CPU time or bytes of memory. NULL: not all runs have
	 * it. Borrowed from a file.
	 */
	const struct metric *taken_metric;
	double taken[SIDES];
	/*
	 * Relative change of the amount taken, or else of samples: 1 is twice as much. NAN:
	 * unknown.
	 */
	double change;
	double half; /* half its 95 % interval; NAN: unknown with one run a side */

	/* By ranks of runs. NAN: a side has no runs. */
	double ratio;	     /* new to base, the median of all pairs */
	double p_up, p_down; /* probability by chance, beyond the margin of the options */

	bool end_by_time; /* runs ended after some time, not after some work */

	/*
	 * True if runs differ so much that their means tell little, and there are enough runs to
	 * judge them by ranks. A side without runs is treated as if it had runs like the other.
	 */
	bool need_ranks;

	/*
	 * The shown metric, if it is a weight that cannot be judged; else NULL. Borrowed from a
	 * file.
	 */
	const struct metric *weight;
	double weights[SIDES];

	enum verdict verdict; /* on the whole run; VERDICT_NOT_COMPARED before totals__judge() */
};

/* Files must be read. */
void totals__init(struct totals *totals, const struct run_files *files,
		  const struct decision_options *options);

/* Computes change, half and the ranks from the values of both sides. A side may be empty. */
void totals__compare(struct totals *totals, const struct run_values *sides,
		     const struct decision_options *options);

/* Sets the verdict on whole runs, by their ranks. */
void totals__judge(struct totals *totals, const struct decision_options *options);

/*
 * Prints "CPU time a run: 1.07 s → 2.06 s, +93 % ± 4; samples a run: 1,069 → 2,064" and a newline.
 * noun: of the counts, "samples".
 */
void totals__print(FILE *out, const struct totals *totals, const char *noun);

/*
 * Prints "their weight is not judged ...: 3 MB → 300 MB a run" and a newline, if there is such a
 * weight.
 */
void totals__print_weights(FILE *out, const struct totals *totals, const char *noun);

#endif
