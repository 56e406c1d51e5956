/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A stable order of rows that follows the past, does not jump, and still has what is hot now at the
 * top.
 *
 * The counts a and b of random samples differ by chance by about sqrt(a + b), the standard
 * deviation of a difference of two Poisson counts. So a exceeds b if a - b > ORDER_NOISE * sqrt(a +
 * b): of two equal rows, one passes the other in one of 160 intervals.
 *
 * A single interval has few samples and says little about the order. So each row also has a
 * decaying sum of its intervals, in which each interval counts ORDER_DECAY of the next one. A row
 * stands above every row that it exceeds now. Among the others, it stands above those that it
 * exceeds by the decaying sum, and otherwise keeps its place. A row without a place stands above
 * those with a smaller sum.
 */
#ifndef TOPSTACKS_LIVE_ROWS_ORDER_H
#define TOPSTACKS_LIVE_ROWS_ORDER_H

#include "base/common.h"

#define ORDER_NOISE 2.5
#define ORDER_DECAY 0.84 /* half after four intervals, as in the displayed decaying sum */

struct order_item {
	uint64_t id;
	uint64_t value;
	double sum;	 /* the decaying sum including this interval, in samples */
	size_t index;	 /* for the caller */
	size_t position; /* the previous one, filled in; SIZE_MAX: none */
};

/* The places of rows in the previous order. A zeroed order has none. */
struct order {
	struct order_place *places; /* sorted by id */
	size_t nr_places;
};

/*
 * Orders the items. Equal items without a place stay in the given order. unit: the value of one
 * sample, 1 unless values are scaled.
 */
void order__arrange(const struct order *order, struct order_item *items, size_t nr_items,
		    double unit);

/* Remembers the places of exactly these items. position is ignored. */
void order__keep(struct order *order, const struct order_item *items, size_t nr_items);

/* True if a decaying sum is more than noise: it exceeds zero. */
bool order__is_seen(double sum);

/* Forgets all places. */
void order__clear(struct order *order);

#endif
