/* SPDX-License-Identifier: GPL-2.0-only */
/* Puts rows in a stable order (order.h). */
#ifndef TOPSTACKS_LIVE_ROWS_ARRANGE_H
#define TOPSTACKS_LIVE_ROWS_ARRANGE_H

#include "live/rows/order.h"
#include "live/rows/rows.h"
#include "live/rows/series.h"

/* The data that the order of a view depends on. */
struct rows_order {
	struct order *order;
	const struct selection *selection;
	const struct series *decayed; /* the decaying sum, in units of DECAY_UNIT */
	double unit;		      /* see order.h */
	double weight;		      /* of one sample in the mean, to convert values to counts */
};

/* A row's decaying sum, in samples. */
double rows_order__sum(const struct rows_order *order, uint64_t id);

/* Puts rows in the stable order, and remembers it. */
void rows__arrange(struct live_row *rows, size_t nr_rows, const struct rows_order *order);

/* Remembers the current order of the rows. */
void rows__keep_order(const struct live_row *rows, size_t nr_rows, const struct rows_order *order);

#endif
