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
	return array__bisect(list->items, list->nr, sizeof(*list->items), sizeof(*list->items),
			     low);
}

#endif
