/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows of a view: who they are, and how much of the samples is theirs. */
#ifndef TOPSTACKS_LIVE_ROWS_H
#define TOPSTACKS_LIVE_ROWS_H

#include "live/order.h"
#include "live/selection.h"

struct live_row {
	uint64_t id;
	uint64_t self, total; /* counts, in the unit of the profile */
	const char *name;     /* the dictionary's; of stacks and flames NULL */
	const char *module;   /* or NULL */
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
};

/* What a row is ranked by, and its percentage is of. */
uint64_t row__value(const struct live_row *row, const struct selection *selection);

/*
 * All rows of a view but trees and flames, hottest first. *rows is the caller's to free(). Returns
 * how many there are or -ENOMEM.
 */
long rows__make(const struct selection *selection, struct row_ids *ids,
		const struct profile *profile, struct live_row **rows);

/* The order of a view; number and unit: see order.h. */
struct rows_order {
	struct order *order;
	const struct selection *selection;
	uint64_t number;
	double unit;
};

/* Puts rows in an order that does not jump, and remembers it. 0 or -ENOMEM. */
int rows__arrange(struct live_row *rows, size_t nr_rows, const struct rows_order *order);

/* Remembers the order that rows are in. 0 or -ENOMEM. */
int rows__keep_order(const struct live_row *rows, size_t nr_rows, const struct rows_order *order);

#endif
