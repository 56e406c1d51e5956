// SPDX-License-Identifier: GPL-2.0-only
#include "live/rows/arrange.h"

#include "live/rows/history.h"

double rows_order__sum(const struct rows_order *order, uint64_t id)
{
	return (double)series__value(order->decayed, id) / (DECAY_UNIT * order->weight);
}

static struct order_item *make_items(const struct live_row *rows, size_t nr_rows,
				     const struct rows_order *order)
{
	struct order_item *items = xcalloc(nr_rows + 1, sizeof(*items));

	for (size_t i = 0; i < nr_rows; i++)
		items[i] = (struct order_item){.id = rows[i].id,
					       .value = row__value(&rows[i], order->selection),
					       .sum = rows_order__sum(order, rows[i].id),
					       .index = i};
	return items;
}

void rows__keep_order(const struct live_row *rows, size_t nr_rows, const struct rows_order *order)
{
	struct order_item *items = make_items(rows, nr_rows, order);

	order__keep(order->order, items, nr_rows);
	free(items);
}

void rows__arrange(struct live_row *rows, size_t nr_rows, const struct rows_order *order)
{
	struct order_item *items = make_items(rows, nr_rows, order);
	struct live_row *arranged = xcalloc(nr_rows + 1, sizeof(*arranged));

	order__arrange(order->order, items, nr_rows, order->unit);
	for (size_t i = 0; i < nr_rows; i++)
		arranged[i] = rows[items[i].index];
	if (nr_rows)
		memcpy(rows, arranged, nr_rows * sizeof(*rows));
	order__keep(order->order, items, nr_rows);
	free(items);
	free(arranged);
}
