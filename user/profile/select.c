// SPDX-License-Identifier: GPL-2.0-only
/*
 * A heap of the best seen so far with the worst of them on top: whatever is not better than that
 * costs one comparison. Taking the worst off again and again leaves the best in order.
 */
#include "profile/select.h"

struct heap {
	const void **items;
	size_t nr_items;
	select_order *order;
	const void *context;
};

static void swap_items(struct heap *heap, size_t a, size_t b)
{
	const void *item = heap->items[a];

	heap->items[a] = heap->items[b];
	heap->items[b] = item;
}

static int order_items(const struct heap *heap, size_t a, size_t b)
{
	return heap->order(heap->items[a], heap->items[b], heap->context);
}

/* Item at may come before its children, which it must not; everything below is in order. */
static void sift_down(struct heap *heap, size_t at)
{
	for (size_t child; (child = 2 * at + 1) < heap->nr_items; at = child) {
		if (child + 1 < heap->nr_items && order_items(heap, child, child + 1) < 0)
			child++;
		if (order_items(heap, at, child) >= 0)
			return;
		swap_items(heap, at, child);
	}
}

size_t select__first(const void **items, size_t nr_items, size_t nr, select_order *order,
		     const void *context)
{
	size_t nr_first = nr < nr_items ? nr : nr_items;
	struct heap heap = {items, nr_first, order, context};

	if (!nr_first)
		return 0;
	for (size_t at = nr_first / 2; at-- > 0;)
		sift_down(&heap, at);
	for (size_t i = nr_first; i < nr_items; i++) {
		if (order_items(&heap, i, 0) >= 0)
			continue;
		swap_items(&heap, i, 0);
		sift_down(&heap, 0);
	}
	while (heap.nr_items > 1) {
		swap_items(&heap, 0, --heap.nr_items);
		sift_down(&heap, 0);
	}
	return nr_first;
}
