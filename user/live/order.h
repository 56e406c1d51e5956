/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An order that is the past's, does not jump, and has what is hot now above what is not.
 *
 * Two counts a and b of random samples differ by chance by about sqrt(a + b), the standard
 * deviation of a difference of two Poisson counts. So a exceeds b if a - b > ORDER_NOISE * sqrt(a +
 * b): of two equal rows one passes the other in one of 160 intervals.
 *
 * An interval of few samples shows little of the order. So rows have a past, the sum of the intervals
 * before, of which each counts ORDER_DECAY of the one after it. A row stands above every row that it
 * exceeds now; of others, above those that it exceeds by its past and now together; else where it
 * stood. Rows that have no place yet go below those that have one, hottest first, unless they exceed
 * them.
 */
#ifndef TOPSTACKS_LIVE_ORDER_H
#define TOPSTACKS_LIVE_ORDER_H

#include <stddef.h>
#include <stdint.h>

#define ORDER_NOISE 2.5
#define ORDER_DECAY 0.84 /* half after four more, as the decaying sum that is shown */

struct order_item {
	uint64_t id;
	uint64_t value;
	size_t index;	 /* the caller's */
	double past;	 /* filled in: before this interval */
	size_t position; /* of before, filled in; SIZE_MAX: it had none */
};

/* Places that were given before. A zeroed order has none. */
struct order {
	struct order_place *places; /* in order of ids */
	size_t nr_places;
	uint64_t number; /* of the interval that they are of */
};

/*
 * Puts items where they belong; equal ones without a place stay as they are given. number: of the
 * interval, which may be arranged more than once. unit: of the values, of one sample; 1 unless they
 * are scaled. 0 or -ENOMEM.
 */
int order__arrange(const struct order *order, uint64_t number, struct order_item *items,
		   size_t nr_items, double unit);

/*
 * Remembers the places of these, and only these; but also the past of others, unless it is less than a
 * sample. position, past: are not looked at. 0 or -ENOMEM.
 */
int order__keep(struct order *order, uint64_t number, const struct order_item *items,
		size_t nr_items, double unit);

/* Forgets where rows stood, not their past: the next order is theirs by it. */
void order__sort(struct order *order);

/* Forgets all of it. */
void order__clear(struct order *order);

#endif
