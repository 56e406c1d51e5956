/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of a call tree: a row is a chain of nodes that have the same samples, its branches are
 * below it, one step to the right, unless it is folded.
 */
#ifndef TOPSTACKS_LIVE_BRANCHES_H
#define TOPSTACKS_LIVE_BRANCHES_H

#include "live/rows.h"
#include "profile/pool.h"

/*
 * Which rows are folded. A row is folded or not by its share when it is first listed, and stays so
 * until the user says otherwise: rows must not come and go with noise.
 */
struct folds {
	struct pool rows;
};

/* Ready when zeroed. */
void folds__clear(struct folds *folds);
/* Of a row that was listed; others are left alone. */
void folds__set(struct folds *folds, uint64_t id, bool folded);

struct branches {
	const struct tree *tree;
	struct folds *folds;
	struct order *order; /* of before; remembers the new one */
	double unit;
	struct live_row *rows;
	size_t nr_rows, capacity;
};

/* Lists all rows that can be seen; rows is the caller's to free(). 0 or -ENOMEM. */
int branches__list(struct branches *branches);

/* The names of its nodes: first child of the first child, down to end_depth. */
bool branch__next_node(const struct tree *tree, const struct live_row *row, struct tree_node *node);

/* What a node is called from one interval to the next. */
uint64_t branch__id(const struct tree *tree, uint64_t parent, uint32_t name);

#endif
