/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows of a view: their identities, and their parts of the samples. */
#ifndef TOPSTACKS_LIVE_ROWS_ROWS_H
#define TOPSTACKS_LIVE_ROWS_ROWS_H

#include "live/rows/selection.h"

struct live_row {
	uint64_t id;
	uint64_t self, total;		    /* counts, in the unit of the profile */
	double self_squares, total_squares; /* sums of these samples' squared weights */
	const char *name;		    /* of the dictionary; NULL for stacks and flames */
	const char *module;		    /* or NULL */
	enum frame_kind kind;

	const struct process *owner; /* for processes: one of the merged ones; else NULL */

	/* For stacks: one of the merged ones. */
	uint32_t process, stack;
	int32_t tid;

	/* For trees: the first node of a chain of nodes that have the same samples. */
	struct tree_node node;
	uint32_t end_depth; /* of the last node of the chain */
	unsigned int indent;
	bool has_children, is_folded;

	/* number of rows that this one stands for (noise.h); 0: it is an ordinary row */
	size_t nr_folded;
};

/* The ids of rows that stand for others. */
#define ROW_ID_NOISE UINT64_MAX
#define ROW_ID_IDLE  (UINT64_MAX - 1)

/* The value that a row is ranked by, and that its percentage is of. */
uint64_t row__value(const struct live_row *row, const struct selection *selection);
double row__squares(const struct live_row *row, const struct selection *selection);

/*
 * All rows of a view, except trees and flames, hottest first. The caller frees *rows. Returns their
 * number.
 */
size_t rows__make(const struct selection *selection, struct row_ids *ids,
		  const struct profile *profile, struct live_row **rows);

#endif
