/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows of a view: who they are, and how much of the samples is theirs. */
#ifndef TOPSTACKS_LIVE_ROWS_ROWS_H
#define TOPSTACKS_LIVE_ROWS_ROWS_H

#include "live/rows/selection.h"

struct live_row {
	uint64_t id;
	uint64_t self, total;		    /* counts, in the unit of the profile */
	double self_squares, total_squares; /* of the weights of these samples */
	const char *name;		    /* the dictionary's; of stacks and flames NULL */
	const char *module;		    /* or NULL */
	enum frame_kind kind;

	const struct process *owner; /* of processes: one of those merged; else NULL */

	/* Of stacks: one of those merged. */
	uint32_t process, stack;
	int32_t tid;

	/* Of trees: a chain of nodes that have the same samples. */
	struct tree_node node;
	uint32_t end_depth; /* of its last node */
	unsigned int indent;
	bool has_children, is_folded;

	size_t nr_folded; /* it stands for so many that are noise or idle (noise.h, idle.h); 0: for itself */
};

/* Of those rows. */
#define ROW_ID_NOISE UINT64_MAX
#define ROW_ID_IDLE  (UINT64_MAX - 1)

/* What a row is ranked by, and its percentage is of. */
uint64_t row__value(const struct live_row *row, const struct selection *selection);
double row__squares(const struct live_row *row, const struct selection *selection);

/*
 * All rows of a view but trees and flames, hottest first. *rows is the caller's to free(). Returns
 * how many there are or -ENOMEM.
 */
long rows__make(const struct selection *selection, struct row_ids *ids,
		const struct profile *profile, struct live_row **rows);

#endif
