// SPDX-License-Identifier: GPL-2.0-only
/*
 * A search tree of the C library. Ranges that overlap compare equal, so the tree finds the range
 * that contains an address or overlaps a new one.
 */
#include "base/ranges.h"

#include <search.h>

static int compare_ranges(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	return (a->start > b->last) - (a->last < b->start);
}

void *ranges__overlap(const struct ranges *ranges, const struct range *range)
{
	void *const *found = tfind(range, &ranges->tree, compare_ranges);

	return found ? *found : NULL;
}

void *ranges__at(const struct ranges *ranges, uint64_t address)
{
	const struct range key = {address, address};

	return ranges__overlap(ranges, &key);
}

void ranges__add(struct ranges *ranges, struct range *item)
{
	xtsearch(item, &ranges->tree, compare_ranges);
}

void ranges__remove(struct ranges *ranges, const struct range *item)
{
	tdelete(item, &ranges->tree, compare_ranges);
}

struct ranges_visit {
	int (*visit)(void *context, void *item);
	void *context;
	int code;
};

static void visit_node(const void *node, VISIT order, void *context)
{
	struct ranges_visit *visit = context;

	if ((order == postorder || order == leaf) && !visit->code)
		visit->code = visit->visit(visit->context, *(void *const *)node);
}

int ranges__each(const struct ranges *ranges, int (*visit)(void *context, void *item),
		 void *context)
{
	struct ranges_visit visits = {visit, context, 0};

	twalk_r(ranges->tree, visit_node, &visits);
	return visits.code;
}

void ranges__clear(struct ranges *ranges, void (*free_item)(void *item))
{
	tdestroy(ranges->tree, free_item);
	ranges->tree = NULL;
}
