/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that one side alone has, and whom they call and are called by: what tells whether one of
 * base is one of new by another name.
 */
#ifndef TOPSTACKS_DIFF_RENAME_UNITS_H
#define TOPSTACKS_DIFF_RENAME_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diff/comparison.h"
#include "diff/match_frames.h"

#define UNRESOLVED UINT32_MAX /* a neighbour that one side alone has, as far as is known */

#define FEW	    4 /* functions that both sides have: of more the median tells what did not change */
#define MOST_SHIFTS (FEW + 1)

enum rename_way {
	WAY_CALLEE,
	WAY_CALLER,
	WAY_ANCESTOR, /* the nearest of those that call it which both sides have */
	WAYS,
};

struct rename_link {
	uint32_t other; /* a subject; that of a root is one beyond the last */
	enum rename_way way;
	double samples;
};

struct rename_unit {
	const struct subject *subject;
	double self, total; /* samples */
	double ways[WAYS];  /* samples of links */
	const struct rename_link *links;
	size_t nr_links;
	size_t partner; /* of the other side; SIZE_MAX: none yet */
	bool is_sure;
};

/* The largest of each side; a zeroed one is empty. */
struct rename_units {
	struct rename_unit *of[SIDES];
	size_t nr[SIDES];
	double samples[SIDES]; /* of all */
	/* Of the log of shares of what did not change; several, if nothing tells what that is. */
	double shifts[MOST_SHIFTS];
	size_t nr_shifts;
	uint32_t *canonical; /* by subject: which it is on both sides, or UNRESOLVED */
	struct rename_link *links;
	double *scratch; /* by subject, zero */
	size_t nr_subjects;
};

/* The units of frames that are counted by function. 0 or -ENOMEM; fini also after an error. */
int rename_units__init(struct rename_units *units, const struct matched_frames *frames);
void rename_units__fini(struct rename_units *units);

/* Samples of a subject on a side, wherever in the stack it is. */
double subject__samples(const struct subject *subject, const struct matched_frames *frames,
			enum side side);

/* How well a unit of base and one of new go together. */
struct rename_match {
	bool is_possible, is_sure;
	double score;	      /* of possible ones the best is taken */
	double distance;      /* of the logs of shares */
	double self_distance; /* of the parts of their samples that they have themselves */
};

struct rename_match rename_units__compare(const struct rename_units *units, size_t base,
					  size_t fresh);

#endif
