// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows are taken in the order they had, and each is put before the first one that it exceeds. As
 * exceeding is monotone (who exceeds a row exceeds every smaller one), the first one is where the
 * least of those above falls low enough, which a binary search finds; and a row that exceeds another
 * is above it in the end, whatever the order was.
 */
#include "live/order.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct order_place {
	uint64_t id;
	size_t position;
};

static bool exceeds(uint64_t a, uint64_t b, double unit)
{
	double x = (double)a / unit, y = (double)b / unit;

	return x - y > ORDER_NOISE * sqrt(x + y);
}

static int by_id(const void *left, const void *right)
{
	const struct order_place *a = left, *b = right;

	return (a->id > b->id) - (a->id < b->id);
}

static size_t find_position(const struct order *order, uint64_t id)
{
	const struct order_place key = {.id = id};
	const struct order_place *place = NULL;

	if (order->nr_places)
		place = bsearch(&key, order->places, order->nr_places, sizeof(key), by_id);
	return place ? place->position : SIZE_MAX;
}

/* Places first; then what has none, by value. */
static int by_position(const void *left, const void *right)
{
	const struct order_item *a = left, *b = right;

	if (a->position != b->position)
		return (a->position > b->position) - (a->position < b->position);
	if (a->value != b->value)
		return (a->value < b->value) - (a->value > b->value);
	return (a->index > b->index) - (a->index < b->index);
}

/* least[i]: the least value of the first i + 1 items. Returns the first that value exceeds. */
static size_t find_exceeded(const uint64_t *least, size_t nr, uint64_t value, double unit)
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

static void insert(struct order_item *items, uint64_t *least, size_t from, size_t to)
{
	struct order_item item = items[from];

	memmove(items + to + 1, items + to, (from - to) * sizeof(*items));
	memmove(least + to + 1, least + to, (from - to) * sizeof(*least));
	items[to] = item;
	least[to] = to && least[to - 1] < item.value ? least[to - 1] : item.value;
}

int order__arrange(const struct order *order, struct order_item *items, size_t nr_items,
		   double unit)
{
	uint64_t *least;

	if (!nr_items)
		return 0;
	least = malloc(nr_items * sizeof(*least));
	if (!least)
		return -ENOMEM;
	for (size_t i = 0; i < nr_items; i++)
		items[i].position = find_position(order, items[i].id);
	qsort(items, nr_items, sizeof(*items), by_position);
	for (size_t i = 0; i < nr_items; i++)
		insert(items, least, i, find_exceeded(least, i, items[i].value, unit));
	free(least);
	return 0;
}

int order__keep(struct order *order, const uint64_t *ids, size_t nr_ids)
{
	struct order_place *places = calloc(nr_ids + 1, sizeof(*places));

	if (!places)
		return -ENOMEM;
	for (size_t i = 0; i < nr_ids; i++)
		places[i] = (struct order_place){ids[i], i};
	qsort(places, nr_ids, sizeof(*places), by_id);
	free(order->places);
	*order = (struct order){places, nr_ids};
	return 0;
}

void order__clear(struct order *order)
{
	free(order->places);
	*order = (struct order){0};
}
