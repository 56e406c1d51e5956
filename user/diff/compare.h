/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A comparison, from files that were read to the exit code: checks that they are comparable,
 * matches their functions, decides, and writes the report. Code that needs the decision without a
 * report calls compare__decide.
 */
#ifndef TOPSTACKS_DIFF_COMPARE_H
#define TOPSTACKS_DIFF_COMPARE_H

#include "base/common.h"
#include "diff/config.h"
#include "diff/matching/run_files.h"
#include "diff/reports/report.h"

/* The denominator of a run's samples: all its samples, its time, its work, or the run itself. */
enum per {
	PER_AUTO, /* PER_RUN if all files are whole runs of a command, else PER_SHARE */
	PER_SHARE,
	PER_SECOND,
	PER_WORK,
	PER_RUN,
	/*
	 * Replaces PER_RUN if runs differ too much: shares for functions, and ranks for a run as a
	 * whole.
	 */
	PER_RANKS,
};

struct rates {
	unsigned int per;   /* enum per */
	double work[SIDES]; /* of each run; 0: not given */
};

/* Resolves PER_AUTO, and PER_RUN if ranks are needed, for files that are read. */
enum per compare__per(enum per wanted, const struct run_files *files, const struct totals *totals);

/* The run of one file for its side; rates.per as returned by compare__per(). */
struct run compare__run(const struct run_files *files, size_t index, const struct rates *rates);

/*
 * Matches the runs, decides, and calls use with the report, which is valid during the call. said:
 * the report's other fields. Returns what use returns: an exit code or negative errno.
 */
int compare__decide(const struct run *runs, size_t nr_runs, enum match_by by,
		    const struct diff_config *config, const struct diff_report *said,
		    int (*use)(void *context, const struct diff_report *report, struct error *err),
		    void *context, struct error *err);

struct compare_plan {
	enum match_by by;
	struct rates rates;
	double required_power; /* percent; 0: not asked for */
	bool strict;	       /* incomparable files are an error, not a warning */
	bool unchanged;	       /* show unchanged functions, too */
	unsigned int nr_rows;
	unsigned int budget; /* most bytes of Markdown */
	const char *format;
	const char *output;	/* NULL, "-": standard output */
	const char *flamegraph; /* .svg or .html; NULL: none */
};

/* Checks all of the plan that needs no file. 0, or -EINVAL with err filled. */
int compare__check(const struct compare_plan *plan, struct error *err);

/*
 * Reads the files, decides and writes the report. An exit code, or negative errno with err filled.
 */
int compare__files(const struct compare_plan *plan, const struct diff_config *config,
		   struct run_files *files, struct error *err);

#endif
