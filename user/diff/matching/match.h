/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Matches profiles: a unit is a function, module or path that is the same in all runs; its samples
 * are counted for each run.
 */
#ifndef TOPSTACKS_DIFF_MATCHING_MATCH_H
#define TOPSTACKS_DIFF_MATCHING_MATCH_H

#include "base/common.h"
#include "diff/matching/match_frames.h"
#include "diff/statistics/comparison.h"

struct match;
struct quoted;

/* Borrows profiles and options. */
struct match *match__new(const struct run *runs, size_t nr_runs,
			 const struct match_options *options);
void match__free(struct match *match);

/* The noun of the counts as files have it, so it may be any text: "samples", "page-faults". */
const char *match__counted(const struct match *match);

/* The noun of the counts, "samples", made safe for a terminal; uses the buffer noun. */
const char *match__noun(const struct match *match, struct quoted *noun);

/* The units are subtrees: stacks that begin alike. */
bool match__is_of_subtrees(const struct match *match);

/* The renamed functions and modules. */
const struct renames *match__renames(const struct match *match);

/* The counts are samples of time: more of them is slower. Other counts are only "more". */
bool match__counts_samples(const struct match *match);

/* Valid as long as the match. The counts are those of VALUE_COUNT. */
const struct comparison *match__comparison(const struct match *match);

/*
 * A function that is the leaf of all its stacks has no total unit, which would be the same samples.
 * twin: the total unit of a self unit, and the other way round; SIZE_MAX: none.
 */
struct match_unit {
	const char *name;   /* normalised; of a path: its leaf's name */
	const char *module; /* NULL: not known */
	enum frame_kind kind;
	size_t twin;
	const struct rename *rename; /* the name in base; NULL: the same */

	/*
	 * For a path: the unit of the path without its last function, with all that is below it;
	 * its self unit if it has no total unit. SIZE_MAX: a root, or that path is the machine's
	 * only.
	 */
	size_t parent;
};

/* Strings live as long as the match. */
struct match_unit match__unit(const struct match *match, size_t unit);

/* The names of a path, "root;...;leaf"; else the unit's name. The caller frees it. */
char *match__full_name(const struct match *match, size_t unit);

/* One stack with samples of a unit. */
struct match_stack {
	struct chain chain;
	/* innermost and outermost frame of the unit; equal for a self unit */
	size_t first, outermost;
	size_t run;
	uint64_t count;
};

/* Units are functions or modules, so that callers are known. */
bool match__has_callers(const struct match *match);

/* Calls visit for each stack of the unit. */
void match__visit(const struct match *match, size_t unit,
		  void (*visit)(void *context, const struct match_stack *stack), void *context);

/*
 * Finds the function that calls this one in most samples of this side. Returns its self unit and
 * sets *part to its part of these samples; SIZE_MAX: none. For units that are functions or modules.
 * Reads all samples.
 */
size_t match__caller(const struct match *match, size_t unit, enum side side, double *part);

/*
 * Finds where the samples of some self units would be counted if their functions were inlined: adds
 * the count of each such sample of this side to samples[] of the nearest caller that is not in
 * selves.
 */
void match__inherit(const struct match *match, const bool *selves, enum side side, double *samples);

/*
 * Sums over the stacks that a unit is in, together with all stacks that are equal to them once the
 * units of left_out are removed: these units tell neither callers nor leaves apart. Adds the
 * samples of all these stacks to all[], and those of the other stacks to others[], by unit.
 */
void match__exchange(const struct match *match, size_t unit, const bool *left_out,
		     double all[SIDES], double *const others[SIDES]);

#endif
