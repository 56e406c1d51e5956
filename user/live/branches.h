/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of the tree view. A row is a chain of nodes that have the same samples. Unless it is
 * folded, its branches follow below it, indented by one step.
 */
#ifndef TOPSTACKS_LIVE_BRANCHES_H
#define TOPSTACKS_LIVE_BRANCHES_H

#include "live/live.h"

/*
 * Makes the visible rows of live->tree. A row is first folded according to its share, and then
 * stays so until the user changes it: rows must not come and go with noise.
 */
void branches__list(struct live *live);

/* Folds or unfolds a row that was listed before. Other ids have no effect. */
void branches__fold(struct live *live, uint64_t id, bool folded);

/* Steps through the nodes of a row: first child of the first child, down to end_depth. */
bool branch__next_node(const struct tree *tree, const struct live_row *row, struct tree_node *node);

#endif
