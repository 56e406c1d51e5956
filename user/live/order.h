/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An order that does not jump: a row stands above every row that it exceeds by more than sampling
 * noise, and else where it stood.
 *
 * Two counts a and b of random samples differ by chance by about sqrt(a + b), the standard
 * deviation of a difference of two Poisson counts. So a exceeds b if a - b > ORDER_NOISE * sqrt(a +
 * b): of two equal rows one passes the other in one of 160 intervals. Rows that have no place yet
 * go below those that have one, hottest first, unless they exceed them.
 */
#ifndef TOPSTACKS_LIVE_ORDER_H
#define TOPSTACKS_LIVE_ORDER_H

#include <stddef.h>
#include <stdint.h>

#define ORDER_NOISE 2.5

struct order_item {
	uint64_t id;
	uint64_t value;
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

/* Remembers the places of these, and only these. 0 or -ENOMEM. */
int order__keep(struct order *order, const uint64_t *ids, size_t nr_ids);

/* Forgets all places. */
void order__clear(struct order *order);

#endif
