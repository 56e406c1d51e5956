// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows are taken in their previous order, and each is put before the first row that it exceeds:
 * first by its decaying sum, then by its current value. Exceeding is monotone: a row that exceeds
 * another also exceeds every smaller one. So the first exceeded row is where the minimum of all
 * rows above falls low enough, which a binary search finds. In the end, a row that exceeds another
 * stands above it, regardless of the previous order.
 */
#include "live/rows/order.h"

#include <math.h>

struct order_place {
	uint64_t id;
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

/* ---- arranging ---- */

/*
 * Scales the variance of a decaying sum, which is smaller than that of the same number of samples.
 */
#define SUM_UNIT (1 / (1 + ORDER_DECAY))

/* By place. Items without a place come last, hottest first. */
static int by_position(const void *left, const void *right)
{
	const struct order_item *a = left, *b = right;

	if (a->position != b->position)
		return (a->position > b->position) - (a->position < b->position);
	if (a->sum != b->sum)
		return (a->sum < b->sum) - (a->sum > b->sum);
	return (a->index > b->index) - (a->index < b->index);
}

/*
 * Puts the item at index `from` before the first item that its value exceeds. least[i]: the minimum
 * value of the first i + 1 items.
 */
static void insert(struct order_item *items, double *least, size_t from, double value, double unit)
{
	const struct order_item item = items[from];
	size_t to = 0, high = from;

	while (to < high) {
		const size_t middle = to + (high - to) / 2;

		if (exceeds(value, least[middle], unit))
			high = middle;
		else
			to = middle + 1;
	}
	memmove(items + to + 1, items + to, (from - to) * sizeof(*items));
	memmove(least + to + 1, least + to, (from - to) * sizeof(*least));
	items[to] = item;
	least[to] = to && least[to - 1] < value ? least[to - 1] : value;
}

void order__arrange(const struct order *order, struct order_item *items, size_t nr_items,
		    double unit)
{
	double *least = xmalloc((nr_items + 1) * sizeof(*least));

	for (size_t i = 0; i < nr_items; i++) {
		const struct order_place key = {.id = items[i].id};
		const struct order_place *place =
			order->nr_places
				? bsearch(&key, order->places, order->nr_places, sizeof(key), by_id)
				: NULL;

		items[i].position = place ? place->position : SIZE_MAX;
	}
	if (nr_items)
		qsort(items, nr_items, sizeof(*items), by_position);
	/*
	 * An item without a place is put before the first item with a smaller sum, and does not
	 * change the order of the others.
	 */
	for (size_t i = 0; i < nr_items; i++)
		insert(items, least, i, items[i].sum, items[i].position == SIZE_MAX ? 0 : SUM_UNIT);
	for (size_t i = 0; i < nr_items; i++)
		insert(items, least, i, (double)items[i].value, unit);
	free(least);
}

bool order__is_seen(double sum)
{
	return exceeds(sum, 0, SUM_UNIT);
}

/* ---- remembering ---- */

void order__keep(struct order *order, const struct order_item *items, size_t nr_items)
{
	struct order_place *places = xcalloc(nr_items + 1, sizeof(*places));
	size_t nr_kept = 0;

	for (size_t i = 0; i < nr_items; i++)
		places[i] = (struct order_place){.id = items[i].id, .position = i};
	qsort(places, nr_items, sizeof(*places), by_id);
	for (size_t i = 0; i < nr_items; i++)
		if (!nr_kept || places[nr_kept - 1].id != places[i].id)
			places[nr_kept++] = places[i];
	free(order->places);
	*order = (struct order){places, nr_kept};
}

void order__clear(struct order *order)
{
	free(order->places);
	*order = (struct order){0};
}
