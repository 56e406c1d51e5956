/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of a call tree: a row is a chain of nodes that have the same samples, its branches are
 * below it, one step to the right, unless it is folded.
 */
#ifndef TOPSTACKS_LIVE_BRANCHES_H
#define TOPSTACKS_LIVE_BRANCHES_H

#include "live/live.h"

/*
 * Makes rows of live->tree, all that can be seen. A row is folded or not by its share when it is
 * first listed, and stays so until the user says otherwise: rows must not come and go with noise. 0
 * or -ENOMEM.
 */
int branches__list(struct live *live);

/* Of a row that was listed; others are left alone. */
void branches__fold(struct live *live, uint64_t id, bool folded);

/* The names of its nodes: first child of the first child, down to end_depth. */
bool branch__next_node(const struct tree *tree, const struct live_row *row, struct tree_node *node);

#endif
