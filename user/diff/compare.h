/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A comparison from files that are read to what becomes of its report: may they be compared, how do
 * they match, what is decided, where is it written, what does it end with. Whoever wants to know
 * what diff would say asks compare__decide.
 */
#ifndef TOPSTACKS_DIFF_COMPARE_H
#define TOPSTACKS_DIFF_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "diff/config.h"
#include "diff/matching/run_files.h"
#include "diff/reports/report.h"

/* What the samples of a run are counted against: all of them, its time, the work that it did, or the run. */
enum per {
	PER_AUTO, /* the run, if all files are whole runs of a command, else all samples */
	PER_SHARE,
	PER_SECOND,
	PER_WORK,
	PER_RUN,
	PER_RANKS, /* what PER_RUN means where runs differ too much: all samples, and a run by its rank */
};

struct rates {
	unsigned int per;   /* enum per */
	double work[SIDES]; /* of each run; 0: not said */
};

/* What PER_AUTO and PER_RUN mean for files that are read. */
enum per compare__per(enum per wanted, const struct run_files *files, const struct totals *totals);

/* A file's run on its side; rates are as compare__per() has them. */
struct run compare__run(const struct run_files *files, size_t index, const struct rates *rates);

/*
 * Matches, decides, and hands out the report, which lives for the call; said: what else is to be
 * said in it. Returns as use: an exit code or negative errno.
 */
int compare__decide(const struct run *runs, size_t nr_runs, enum match_by by,
		    const struct diff_config *config, const struct diff_report *said,
		    int (*use)(void *context, const struct diff_report *report, struct error *err),
		    void *context, struct error *err);

struct compare_plan {
	enum match_by by;
	struct rates rates;
	double required_power; /* percent; 0: not asked for */
	bool strict;	       /* what is not comparable is an error, not a warning */
	bool unchanged;	       /* is shown too */
	unsigned int nr_rows;
	unsigned int budget; /* of Markdown, in bytes */
	const char *format;
	const char *output;	/* NULL, "-": standard output */
	const char *flamegraph; /* .svg or .html; NULL: none */
};

/* What can be said before any file is read. 0, or -EINVAL with err filled. */
int compare__check(const struct compare_plan *plan, struct error *err);

/* Reads the files, decides, writes. An exit code, or negative errno with err filled. */
int compare__files(const struct compare_plan *plan, const struct diff_config *config,
		   struct run_files *files, struct error *err);

#endif
