/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows in the order that does not jump (order.h). */
#ifndef TOPSTACKS_LIVE_ROWS_ARRANGE_H
#define TOPSTACKS_LIVE_ROWS_ARRANGE_H

#include "live/rows/order.h"
#include "live/rows/rows.h"
#include "live/rows/series.h"

/* The order of a view. */
struct rows_order {
	struct order *order;
	const struct selection *selection;
	const struct series *decayed; /* the decaying sum, in units of DECAY_UNIT */
	double unit;		      /* see order.h */
	double weight; /* of one sample in the mean, by which it is told from what is no count */
};

/* Of a row's decaying sum, in samples. */
double rows_order__sum(const struct rows_order *order, uint64_t id);

/* Puts rows in an order that does not jump, and remembers it. 0 or -ENOMEM. */
int rows__arrange(struct live_row *rows, size_t nr_rows, const struct rows_order *order);

/* Remembers the order that rows are in. 0 or -ENOMEM. */
int rows__keep_order(const struct live_row *rows, size_t nr_rows, const struct rows_order *order);

#endif
