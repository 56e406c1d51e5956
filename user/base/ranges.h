/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Items at ranges of addresses that never overlap. A lookup takes logarithmic time, however many
 * ranges an untrusted process makes.
 */
#ifndef TOPSTACKS_BASE_RANGES_H
#define TOPSTACKS_BASE_RANGES_H

#include "base/common.h"

/* Never empty. An item begins with its range. */
struct range {
	uint64_t start, last; /* the first and the last address */
};

/* Zeroed: there are none. */
struct ranges {
	void *tree;
};

/* Returns the item that contains the address; NULL: there is none. */
void *ranges__at(const struct ranges *ranges, uint64_t address);

/* Returns an item that overlaps the range; NULL: there is none. */
void *ranges__overlap(const struct ranges *ranges, const struct range *range);

/* Adds an item, which overlaps no other one; it is borrowed until it is removed. */
void ranges__add(struct ranges *ranges, struct range *item);
void ranges__remove(struct ranges *ranges, const struct range *item);

/* Calls visit for each item in order until it returns non-zero, and returns that value. */
int ranges__each(const struct ranges *ranges, int (*visit)(void *context, void *item),
		 void *context);

/* Removes all items, and frees them. */
void ranges__clear(struct ranges *ranges, void (*free_item)(void *item));

#endif
