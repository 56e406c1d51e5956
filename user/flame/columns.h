/* SPDX-License-Identifier: GPL-2.0-only */
/* What the widths of a page can show of several events: each value of each, by the stacks of one tree. */
#ifndef TOPSTACKS_FLAME_COLUMNS_H
#define TOPSTACKS_FLAME_COLUMNS_H

#include "flame/flame.h"
#include "profile/tree.h"

struct flame_column {
	struct metric metric; /* its title may be the one below */
	char title[96]; /* "block:block_rq_issue (bytes)": names of one event's values are alike */
	uint64_t *values; /* by stack of the tree */
	double *squares;  /* of its event's weights, likewise; NULL where it is no weight */
	const struct flame_event *event;
	enum value value; /* of that event */
};

struct columns {
	struct flame_column *of;
	size_t nr;
	size_t shown; /* the one that widths begin with */
};

/* A tree from the root of all stacks that any of the events has seen. NULL: out of memory. */
struct tree *columns__tree(const struct flame_options *options);

/*
 * Those of options->events; what is 0 everywhere, or the same as a count, is left out. 0 or -ENOMEM;
 * fini either way.
 */
int columns__init(struct columns *columns, const struct tree *tree,
		  const struct flame_options *options);
void columns__fini(struct columns *columns);

/*
 * The values, and the squares unless they are NULL, of a tree's stacks, in the places that they have in a tree of these and others; values of those
 * are left alone.
 */
void columns__find(const struct tree *all, const struct tree *some, uint64_t *values[VALUES],
		   double *squares);

#endif
