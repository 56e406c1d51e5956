/* SPDX-License-Identifier: GPL-2.0-only */
/* What a person reads. A view draws into a stream (the caller's, often open_memstream). */
#ifndef TOPSTACKS_VIEWS_VIEWS_H
#define TOPSTACKS_VIEWS_VIEWS_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/recording.h"
#include "profile/tree.h"

/* Error bars behind percentages (views/errors.h). */
enum errors {
	ERRORS_AUTO, /* where lines have room for them */
	ERRORS_ALWAYS,
	ERRORS_NEVER,
};

struct view_options {
	enum merge merge;
	size_t nr_rows;
	bool color;
	bool pids;	      /* show pids beside comms (merge is by process or thread) */
	bool lines;	      /* of the source, in the place of modules, where they are known */
	bool is_sum;	      /* of a run whose intervals were shown before */
	bool command_lines;   /* behind the names of a group's process, where they are known */
	size_t width;	      /* of lines of tables and trees, in columns; 0: as wide as they get */
	bool all_waits;	      /* also those that wait for work have rows (idle_waits.h) */
	bool is_brief;	      /* without stacks: whoever reads it has just seen them */
	const char *values;   /* what is shown, in a sentence; NULL: what always is */
	uint64_t whole;	      /* 100 %; 0: the total of the profile */
	double percent_limit; /* rows below are left out */
	enum errors errors;
};

/*
 * The block for pipes and files: header, then the rows with their full stacks, one frame a line,
 * then the top functions. Returns 0 or a negative errno.
 */
int view__write_block(FILE *out, const struct recording *interval,
		      const struct view_options *options);

/* The header alone, with the empty line that ends it. */
int view__write_header(FILE *out, const struct recording *interval,
		       const struct view_options *options);

/* Where no sample is shown: why there is none, in a line, and the empty line that ends it. */
int view__write_silence(FILE *out, const struct recording *interval,
			const struct view_options *options);

/* A table of groups, without header: by is their heading ("FUNCTION"). */
int view__write_groups(FILE *out, const struct recording *interval,
		       const struct view_options *options, const struct group_row *groups,
		       size_t nr_groups, const char *by);

/* The call tree, without header, hottest branches first, chains without branches on one line. */
int view__write_tree(FILE *out, const struct recording *interval,
		     const struct view_options *options, enum tree_direction direction);

/* The recording's slices in order of time, without header, in options->nr_rows rows at most. */
int view__write_timeline(FILE *out, const struct recording *recording,
			 const struct view_options *options);

#endif
