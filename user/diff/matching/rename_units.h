/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that only one side has, with their callers and callees: evidence on which function of
 * base is which of new, under another name.
 */
#ifndef TOPSTACKS_DIFF_MATCHING_RENAME_UNITS_H
#define TOPSTACKS_DIFF_MATCHING_RENAME_UNITS_H

#include "base/common.h"
#include "diff/matching/match_frames.h"
#include "diff/statistics/comparison.h"

#define UNRESOLVED UINT32_MAX /* a neighbour that only one side has, as far as known */

/* Functions of both sides; with more of them the median tells which did not change. */
#define FEW	    4
#define MOST_SHIFTS (FEW + 1)

enum rename_way {
	WAY_CALLEE,
	WAY_CALLER,
	WAY_ANCESTOR, /* its nearest caller that both sides have */
	WAYS,
};

struct rename_link {
	uint32_t other; /* a subject; the number of subjects stands for "no caller" */
	enum rename_way way;
	double samples;
};

struct rename_unit {
	const struct subject *subject;
	double self, total; /* samples */
	double ways[WAYS];  /* samples of the links of each way */
	const struct rename_link *links;
	size_t nr_links;
	size_t partner; /* index on the other side; SIZE_MAX: none yet */
	bool is_sure;
};

/* The units with most samples of each side. */
struct rename_units {
	struct rename_unit *of[SIDES];
	size_t nr[SIDES];
	double samples[SIDES]; /* of all functions */
	/*
	 * How much the log of the share of unchanged functions rose; several values if it is not
	 * clear which functions are unchanged.
	 */
	double shifts[MOST_SHIFTS];
	size_t nr_shifts;
	uint32_t *canonical; /* by subject: its id on both sides, or UNRESOLVED */
	struct rename_link *links;
	double *scratch; /* by subject; all zero */
	size_t nr_subjects;
};

/* Finds renamed modules only; frames must be counted by function. */
void find_renamed_modules(struct renames *renames, const struct matched_frames *frames);

/* Makes the units of frames that are counted by function. */
void rename_units__init(struct rename_units *units, const struct matched_frames *frames);
void rename_units__fini(struct rename_units *units);

/* The sum of one side's counts by run, as a subject has them. */
double sum_of_side(const struct matched_frames *frames, const uint64_t *counts, enum side side);

/* How well a unit of base and one of new fit as one function. */
struct rename_match {
	bool is_possible, is_sure;
	double score;	      /* the best possible pair is taken */
	double distance;      /* between the logs of shares */
	double self_distance; /* between the self parts of their samples */
};

struct rename_match rename_units__compare(const struct rename_units *units, size_t base,
					  size_t fresh);

#endif
