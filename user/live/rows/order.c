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

static const struct order_place *find_place(const struct order *order, uint64_t id)
{
	const struct order_place key = {.id = id};

	return order->nr_places ? bsearch(&key, order->places, order->nr_places, sizeof(key), by_id)
				: NULL;
}

/* ---- arranging ---- */

/*
 * Scales the variance of a decaying sum, which is smaller than that of the same number of samples.
 */
#define SUM_UNIT (1 / (1 + ORDER_DECAY))

static double decaying_sum(const struct order_item *item)
{
	return item->sum;
}

static double value_now(const struct order_item *item)
{
	return (double)item->value;
}

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

/* Returns the first item that value exceeds. least[i]: the minimum of the first i + 1 items. */
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

/*
 * An item without a place is put before the first item with a smaller sum, and does not change the
 * order of the others.
 */
static void raise_by_sum(struct order_item *items, size_t nr_items, double *least)
{
	for (size_t i = 0; i < nr_items; i++) {
		const double unit = items[i].position == SIZE_MAX ? 0 : SUM_UNIT;

		insert(items, least, i, find_exceeded(least, i, items[i].sum, unit), decaying_sum);
	}
}

static void raise_by_value(struct order_item *items, size_t nr_items, double *least, double unit)
{
	for (size_t i = 0; i < nr_items; i++)
		insert(items, least, i, find_exceeded(least, i, value_now(&items[i]), unit),
		       value_now);
}

int order__arrange(const struct order *order, struct order_item *items, size_t nr_items,
		   double unit)
{
	double *least;

	if (!nr_items)
		return 0;
	least = malloc(nr_items * sizeof(*least));
	if (!least)
		return -ENOMEM;
	for (size_t i = 0; i < nr_items; i++) {
		const struct order_place *place = find_place(order, items[i].id);

		items[i].position = place ? place->position : SIZE_MAX;
	}
	qsort(items, nr_items, sizeof(*items), by_position);
	raise_by_sum(items, nr_items, least);
	raise_by_value(items, nr_items, least, unit);
	free(least);
	return 0;
}

bool order__is_seen(double sum)
{
	return exceeds(sum, 0, SUM_UNIT);
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

int order__keep(struct order *order, const struct order_item *items, size_t nr_items)
{
	struct order_place *places = calloc(nr_items + 1, sizeof(*places));

	if (!places)
		return -ENOMEM;
	for (size_t i = 0; i < nr_items; i++)
		places[i] = (struct order_place){.id = items[i].id, .position = i};
	qsort(places, nr_items, sizeof(*places), by_id);
	free(order->places);
	*order = (struct order){places, drop_doubles(places, nr_items)};
	return 0;
}

void order__clear(struct order *order)
{
	free(order->places);
	*order = (struct order){0};
}
