/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An order that is the past's, does not jump, and has what is hot now above what is not.
 *
 * Two counts a and b of random samples differ by chance by about sqrt(a + b), the standard
 * deviation of a difference of two Poisson counts. So a exceeds b if a - b > ORDER_NOISE * sqrt(a +
 * b): of two equal rows one passes the other in one of 160 intervals.
 *
 * An interval of few samples shows little of the order. So rows have a decaying sum of the intervals so
 * far, of which each counts ORDER_DECAY of the one after it. A row stands above every row that it
 * exceeds now; of others, above those that it exceeds by that sum; else where it stood. A row that has
 * no place yet stands above those that have less of that sum.
 */
#ifndef TOPSTACKS_LIVE_ROWS_ORDER_H
#define TOPSTACKS_LIVE_ROWS_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORDER_NOISE 2.5
#define ORDER_DECAY 0.84 /* half after four more, as the decaying sum that is shown */

struct order_item {
	uint64_t id;
	uint64_t value;
	double sum;	 /* the decaying one, this interval included, in samples */
	size_t index;	 /* the caller's */
	size_t position; /* of before, filled in; SIZE_MAX: it had none */
};

/* Places that were given before. A zeroed order has none. */
struct order {
	struct order_place *places; /* in order of ids */
	size_t nr_places;
};

/*
 * Puts items where they belong; equal ones without a place stay as they are given. unit: of the
 * values, of one sample; 1 unless they are scaled. 0 or -ENOMEM.
 */
int order__arrange(const struct order *order, struct order_item *items, size_t nr_items,
		   double unit);

/* Remembers the places of these, and only these; position is not looked at. 0 or -ENOMEM. */
int order__keep(struct order *order, const struct order_item *items, size_t nr_items);

/* A decaying sum is more than noise: it exceeds nothing at all. */
bool order__is_seen(double sum);

/* Forgets all of it. */
void order__clear(struct order *order);

#endif
