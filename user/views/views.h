/* SPDX-License-Identifier: GPL-2.0-only */
/* Views for people. A view writes into the caller's stream, often open_memstream. */
#ifndef TOPSTACKS_VIEWS_VIEWS_H
#define TOPSTACKS_VIEWS_VIEWS_H

#include "base/common.h"
#include "profile/recording.h"
#include "profile/tree.h"

/* Error bars behind percentages. */
enum errors {
	ERRORS_AUTO, /* if lines have room for them */
	ERRORS_ALWAYS,
	ERRORS_NEVER,
};

struct view_options {
	enum merge merge;
	size_t nr_rows;
	bool color;
	bool pids;	      /* show pids beside comms (merge is by process or thread) */
	bool lines;	      /* show source lines instead of modules, where known */
	bool is_sum;	      /* a whole run, after its intervals were shown */
	bool command_lines;   /* behind the names of processes, where known */
	size_t width;	      /* columns of lines in tables and trees; 0: no limit */
	bool all_waits;	      /* rows also for waits for work (idle_waits.h) */
	bool is_brief;	      /* without stacks, which the reader has just seen */
	const char *values;   /* a sentence on the shown values; NULL: the usual ones */
	uint64_t whole;	      /* 100 %; 0: the total of the profile */
	double percent_limit; /* rows with less are left out */
	enum errors errors;
};

/*
 * Writes the block for pipes and files: the header; then the stacks, one frame on a line; then the
 * hottest functions. 0 or negative errno.
 */
int view__write_block(FILE *out, const struct recording *interval,
		      const struct view_options *options);

/* Writes only the header, and an empty line. */
int view__write_header(FILE *out, const struct recording *interval,
		       const struct view_options *options);

/* Writes a line on why there are no samples, and an empty line. */
int view__write_silence(FILE *out, const struct recording *interval,
			const struct view_options *options);

/* Writes a table of groups, without header. by: their heading, "FUNCTION". */
int view__write_groups(FILE *out, const struct recording *interval,
		       const struct view_options *options, const struct group_row *groups,
		       size_t nr_groups, const char *by);

/*
 * Writes the call tree, without header, hottest branches first; a chain without branches is one
 * line.
 */
int view__write_tree(FILE *out, const struct recording *interval,
		     const struct view_options *options, enum tree_direction direction);

/*
 * Writes the recording's slices in order of time, without header, in at most options->nr_rows rows.
 */
int view__write_timeline(FILE *out, const struct recording *recording,
			 const struct view_options *options);

#endif
