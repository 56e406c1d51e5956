/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the values of a tree's stacks are made of, where samples tell whether threads ran or waited,
 * and for what.
 */
#ifndef TOPSTACKS_FLAME_PARTS_H
#define TOPSTACKS_FLAME_PARTS_H

#include <stdint.h>
#include <stdio.h>

#include "flame/flame.h"
#include "profile/tree.h"

struct wait_part {
	uint32_t wait;		       /* of all states that look alike, the one of their style */
	const struct profile *profile; /* whose values these are */
	uint64_t *values[VALUES];      /* by stack of the tree */
};

struct wait_parts {
	struct wait_part *of;
	size_t nr, capacity;
};

/*
 * Adds those of a profile, which is all of the tree, or some. Samples of which nothing is told are in none.
 * 0 or -ENOMEM; free them either way.
 */
int wait_parts__add(struct wait_parts *parts, const struct tree *tree,
		    const struct profile *profile, enum merge merge);
void wait_parts__free(struct wait_parts *parts);

/* Of some stacks: how much in each state and for each kind; states that look alike are one. */
struct wait_sums {
	uint64_t states[WAIT_STATES], kinds[WAIT_KINDS];
};

/* Those of the stacks first to end - 1, in a value. */
struct wait_sums wait_parts__sum(const struct wait_parts *parts, enum value value, size_t first,
				 size_t end);

/* The state of most of it; WAIT_UNKNOWN: nothing is told. */
enum wait_state wait_sums__most(const struct wait_sums *sums);

/* "blocked 83.33%, woken 16.67%\nfor lock 100.00%", largest first, as shares of all; "": nothing is told. */
void wait_sums__describe(const struct wait_sums *sums, uint64_t all, FILE *out);

#endif
