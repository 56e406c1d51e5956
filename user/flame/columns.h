/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All values that a page can show as widths, if there are several events: each value of each event,
 * by the stacks of a common tree.
 */
#ifndef TOPSTACKS_FLAME_COLUMNS_H
#define TOPSTACKS_FLAME_COLUMNS_H

#include "flame/flame.h"
#include "profile/tree.h"

struct flame_column {
	struct metric metric; /* its title may be the one below */
	/* with its unit if count and weight have one name: "block:block_rq_issue (bytes)" */
	char title[96];
	uint64_t *values; /* by stack of the tree */
	double *squares; /* sums of squared weights, by stack; NULL if the values are not weights */
	const struct flame_event *event;
	enum value value; /* which value of the event */
};

struct columns {
	struct flame_column *of;
	size_t nr;
	size_t shown; /* index of the column that the page shows first */
};

/* Makes a tree, from the root, of the stacks of all events. */
struct tree *columns__tree(const struct flame_options *options);

/*
 * Makes the columns of options->events. Values that are 0 everywhere, or the same as a count, are
 * left out.
 */
void columns__init(struct columns *columns, const struct tree *tree,
		   const struct flame_options *options);
void columns__fini(struct columns *columns);

/* Adds a sample's values to those of its stack. */
static inline void values__add(uint64_t *const values[VALUES], uint32_t stack,
			       const uint64_t added[VALUES])
{
	for (int value = 0; value < VALUES; value++)
		values[value][stack] = sum_of(values[value][stack], added[value]);
}

#endif
