// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows are taken in the order they had, and each is put before the first one that it exceeds: first by
 * its past and now, then by now alone. As exceeding is monotone (who exceeds a row exceeds every
 * smaller one), the first one is where the least of those above falls low enough, which a binary
 * search finds; and a row that exceeds another is above it in the end, whatever the order was.
 */
#include "live/order.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct order_place {
	uint64_t id;
	double before; /* of the intervals before the one that it is of */
	uint64_t value;
	size_t position;
};

static bool exceeds(double a, double b, double unit)
{
	return a - b > ORDER_NOISE * sqrt(unit * (a + b));
}

static int by_id(const void *left, const void *right)
{
	const struct order_place *a = left, *b = right;

	return (a->id > b->id) - (a->id < b->id);
}

static const struct order_place *find_place(const struct order *order, uint64_t id)
{
	const struct order_place key = {.id = id};

	return order->nr_places ? bsearch(&key, order->places, order->nr_places, sizeof(key), by_id)
				: NULL;
}

/* What the intervals before this one come to. */
static double past_of(const struct order *order, const struct order_place *place, uint64_t number)
{
	if (!place)
		return 0;
	return number > order->number ? ORDER_DECAY * (place->before + (double)place->value)
				      : place->before;
}

/* ---- arranging ---- */

static double sum_of_past(const struct order_item *item)
{
	return item->past + (double)item->value;
}

static double value_now(const struct order_item *item)
{
	return (double)item->value;
}

/* Places first; then what has none, hottest first. */
static int by_position(const void *left, const void *right)
{
	const struct order_item *a = left, *b = right;
	const double x = sum_of_past(a), y = sum_of_past(b);

	if (a->position != b->position)
		return (a->position > b->position) - (a->position < b->position);
	if (x != y)
		return (x < y) - (x > y);
	return (a->index > b->index) - (a->index < b->index);
}

/* least[i]: the least value of the first i + 1 items. Returns the first that value exceeds. */
static size_t find_exceeded(const double *least, size_t nr, double value, double unit)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (exceeds(value, least[middle], unit))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void insert(struct order_item *items, double *least, size_t from, size_t to,
		   double (*measure)(const struct order_item *item))
{
	struct order_item item = items[from];
	const double value = measure(&item);

	memmove(items + to + 1, items + to, (from - to) * sizeof(*items));
	memmove(least + to + 1, least + to, (from - to) * sizeof(*least));
	items[to] = item;
	least[to] = to && least[to - 1] < value ? least[to - 1] : value;
}

static void raise_what_exceeds(struct order_item *items, size_t nr_items, double *least,
			       double (*measure)(const struct order_item *item), double unit)
{
	for (size_t i = 0; i < nr_items; i++)
		insert(items, least, i, find_exceeded(least, i, measure(&items[i]), unit), measure);
}

/* The variance of a decaying sum is that of as many samples, times 1 / (1 + decay). */
int order__arrange(const struct order *order, uint64_t number, struct order_item *items,
		   size_t nr_items, double unit)
{
	double *least;

	if (!nr_items)
		return 0;
	least = malloc(nr_items * sizeof(*least));
	if (!least)
		return -ENOMEM;
	for (size_t i = 0; i < nr_items; i++) {
		const struct order_place *place = find_place(order, items[i].id);

		items[i].past = past_of(order, place, number);
		items[i].position = place ? place->position : SIZE_MAX;
	}
	qsort(items, nr_items, sizeof(*items), by_position);
	raise_what_exceeds(items, nr_items, least, sum_of_past, unit / (1 + ORDER_DECAY));
	raise_what_exceeds(items, nr_items, least, value_now, unit);
	free(least);
	return 0;
}

/* ---- remembering ---- */

static size_t drop_doubles(struct order_place *places, size_t nr)
{
	size_t nr_kept = 0;

	for (size_t i = 0; i < nr; i++)
		if (!nr_kept || places[nr_kept - 1].id != places[i].id)
			places[nr_kept++] = places[i];
	return nr_kept;
}

/* Those that are not shown are only remembered for their past. */
static size_t add_unshown(const struct order *order, uint64_t number, double unit,
			  struct order_place *places, size_t nr_shown)
{
	size_t nr = nr_shown;

	for (size_t i = 0; i < order->nr_places; i++) {
		const struct order_place *place = &order->places[i];
		const double past = past_of(order, place, number);

		if (past >= unit && !bsearch(place, places, nr_shown, sizeof(*places), by_id))
			places[nr++] = (struct order_place){
				.id = place->id, .before = past, .position = SIZE_MAX};
	}
	return nr;
}

int order__keep(struct order *order, uint64_t number, const struct order_item *items,
		size_t nr_items, double unit)
{
	struct order_place *places = calloc(nr_items + order->nr_places + 1, sizeof(*places));
	size_t nr;

	if (!places)
		return -ENOMEM;
	for (size_t i = 0; i < nr_items; i++) {
		const struct order_place *place = find_place(order, items[i].id);

		places[i] = (struct order_place){.id = items[i].id,
						 .before = past_of(order, place, number),
						 .value = items[i].value,
						 .position = i};
	}
	qsort(places, nr_items, sizeof(*places), by_id);
	nr = drop_doubles(places, nr_items);
	nr = add_unshown(order, number, unit, places, nr);
	qsort(places, nr, sizeof(*places), by_id);
	free(order->places);
	*order = (struct order){places, nr, number > order->number ? number : order->number};
	return 0;
}

void order__sort(struct order *order)
{
	for (size_t i = 0; i < order->nr_places; i++)
		order->places[i].position = SIZE_MAX;
}

void order__clear(struct order *order)
{
	free(order->places);
	*order = (struct order){0};
}
