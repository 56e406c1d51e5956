/* SPDX-License-Identifier: GPL-2.0-only */
/* What a match is made of, for match.c and match_callers.c: subjects with counts become units. */
#ifndef TOPSTACKS_DIFF_MATCH_UNITS_H
#define TOPSTACKS_DIFF_MATCH_UNITS_H

#include "diff/match_frames.h"

struct match {
	struct matched_frames frames;

	struct comparison comparison;
	struct unit *units;
	struct subject **owners; /* by unit */
	uint64_t *slices[SIDES]; /* by unit and interval */
	enum side *sides;
	double *divisors;
	double *incomplete;
};

/* Of all subjects that have counts. 0 or -ENOMEM. */
int match__make_units(struct match *match);

/* And, with one run a side, what each slice of it has of them. 0 or -ENOMEM. */
int match__make_slices(struct match *match);

#endif
