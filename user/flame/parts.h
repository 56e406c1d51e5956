/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the values of a tree's stacks by what threads did, if samples say whether they ran
 * or waited, and for what.
 */
#ifndef TOPSTACKS_FLAME_PARTS_H
#define TOPSTACKS_FLAME_PARTS_H

#include "base/common.h"
#include "flame/flame.h"
#include "profile/tree.h"

struct wait_part {
	uint32_t wait;		       /* of states that look alike, the one in their style */
	const struct profile *profile; /* the profile of these values */
	uint64_t *values[VALUES];      /* by stack of the tree */
};

struct wait_parts {
	struct wait_part *of;
	size_t nr, capacity;
};

/*
 * Adds the parts of a profile, which is the whole tree's or that of one of its events. Samples of
 * unknown state are in no part.
 */
void wait_parts__add(struct wait_parts *parts, const struct tree *tree,
		     const struct profile *profile);
void wait_parts__free(struct wait_parts *parts);

/* Sums over some stacks by state and by kind. States that look alike are one. */
struct wait_sums {
	uint64_t states[WAIT_STATES], kinds[WAIT_KINDS];
};

/* Sums up a value of the stacks first to end - 1. */
struct wait_sums wait_parts__sum(const struct wait_parts *parts, enum value value, size_t first,
				 size_t end);

/* The state with the largest sum; WAIT_UNKNOWN: none is known. */
enum wait_state wait_sums__most(const struct wait_sums *sums);

/*
 * Writes "blocked 83.33%, woken 16.67%\nfor lock 100.00%", largest first, as shares of all. "":
 * nothing is known.
 */
void wait_sums__describe(const struct wait_sums *sums, uint64_t all, FILE *out);

#endif
