/* SPDX-License-Identifier: GPL-2.0-only */
/* Addresses to look up, in ascending order. */
#ifndef TOPSTACKS_READERS_ADDRESS_LIST_H
#define TOPSTACKS_READERS_ADDRESS_LIST_H

#include "base/common.h"

struct address_list {
	const uint64_t *items;
	size_t nr;
};

/* Index of the first address that is at least low. */
static inline size_t address_list__from(const struct address_list *list, uint64_t low)
{
	size_t begin = 0, end = list->nr;

	while (begin < end) {
		const size_t middle = begin + (end - begin) / 2;

		if (list->items[middle] < low)
			begin = middle + 1;
		else
			end = middle;
	}
	return begin;
}

#endif
