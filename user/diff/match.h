/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles to units: what is the same in all runs is one unit, and its samples are counted by run.
 */
#ifndef TOPSTACKS_DIFF_MATCH_H
#define TOPSTACKS_DIFF_MATCH_H

#include <stddef.h>

#include "diff/comparison.h"
#include "diff/match_frames.h"

struct match;
struct quoted;

/* Borrows profiles and options. Returns 0 or -ENOMEM; *match is the caller's to free. */
int match__new(struct match **match, const struct run *runs, size_t nr_runs,
	       const struct match_options *options);
void match__free(struct match *match);

/* What is counted, as files have it, which may hold anything: "samples", "page-faults". */
const char *match__counted(const struct match *match);

/* What counts are of, "samples": safe on a terminal, in noun. */
const char *match__noun(const struct match *match, struct quoted *noun);

/* Its units are stacks that begin alike. */
bool match__is_of_subtrees(const struct match *match);

/* The renames that were found. */
const struct renames *match__renames(const struct match *match);

/* More of them is slower; of what else is counted it is more. */
bool match__counts_samples(const struct match *match);

/* Valid as long as the match. Counts are events (VALUE_COUNT). */
const struct comparison *match__comparison(const struct match *match);

/*
 * A function that is everywhere a leaf where it appears has no total unit: it would be the same
 * samples. twin: the total unit of a self unit and the other way round; SIZE_MAX: none.
 */
struct match_unit {
	const char *name;   /* normalised; of a stack or its part: of the leaf */
	const char *module; /* NULL: none known */
	enum frame_kind kind;
	size_t twin;
	const struct rename *rename; /* what base calls it; NULL: the same */

	/*
	 * Of a path: all that is below the one that it goes on from, or what ends there if nothing
	 * is. SIZE_MAX: only the machine's, or there is none.
	 */
	size_t parent;
};

/* Strings live as long as the match. */
struct match_unit match__unit(const struct match *match, size_t unit);

/* Names of a stack or its part, "root;...;leaf"; else the unit's name. The caller's to free();
 * NULL: no memory.
 */
char *match__full_name(const struct match *match, size_t unit);

/* A stack of a unit. */
struct match_stack {
	struct chain chain;
	size_t first, outermost; /* frames of the unit in it: the same of a self unit */
	size_t run;
	uint64_t count;
};

/* Units are functions or modules: who calls whom is known. */
bool match__has_callers(const struct match *match);

/* Each stack that the unit's counts are made of. 0, or what visit returned if that is not 0. */
int match__visit(const struct match *match, size_t unit,
		 int (*visit)(void *context, const struct match_stack *stack), void *context);

/*
 * The self unit of the function that most samples of this function's stacks were called by on this
 * side, and which part of them; SIZE_MAX: there is none. Functions only. Looks at all samples.
 */
size_t match__caller(const struct match *match, size_t unit, enum side side, double *part);

/*
 * For each sample of a side whose self unit is one of selves, adds its count to samples[] of the self unit of the nearest
 * function above it that is none of them: where it is found if these were inlined.
 */
void match__inherit(const struct match *match, const bool *selves, enum side side, double *samples);

/*
 * Stacks that a unit is in, and all others that are the same without what is left out: units by which neither callers nor
 * leaves are told apart. Adds to all[] the samples of both, and to others[] by unit those of the latter. 0 or -ENOMEM.
 */
int match__exchange(const struct match *match, size_t unit, const bool *left_out, double all[SIDES],
		    double *const others[SIDES]);

#endif
