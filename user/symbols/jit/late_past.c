// SPDX-License-Identifier: GPL-2.0-only
/*
 * A search tree of the C library, as in jit_code.c: ranges in it never overlap, and ranges that
 * overlap compare equal.
 */
#include "symbols/jit/late_past.h"

#include <search.h>

/* Memory of a tree node, with malloc's overhead for node and entry. */
#define NODE_BYTES 48
#define PAST_BYTES (NODE_BYTES + sizeof(struct late_past))

static int compare_ranges(const void *left, const void *right)
{
	const struct late_past *a = left, *b = right;

	return (a->start > b->last) - (a->last < b->start);
}

static struct late_past *find_overlap(void *const *tree, const struct late_past *key)
{
	struct late_past *const *found = tfind(key, tree, compare_ranges);

	return found ? *found : NULL;
}

const struct late_past *late_past__find(void *const *tree, uint64_t address)
{
	const struct late_past key = {.start = address, .last = address};

	return find_overlap(tree, &key);
}

/* Whether past already says all that other says, except perhaps its time. */
static bool includes(const struct late_past *past, const struct late_past *other)
{
	if (past->told == TOLD_SEVERAL)
		return past->start <= other->start && past->last >= other->last;
	return past->start == other->start && past->last == other->last &&
	       past->told == other->told;
}

static void unite(struct late_past *past, const struct late_past *other)
{
	past->told = TOLD_SEVERAL;
	if (other->start < past->start)
		past->start = other->start;
	if (other->last > past->last)
		past->last = other->last;
	if (other->gone_ns > past->gone_ns)
		past->gone_ns = other->gone_ns;
}

static int insert(void **tree, const struct late_past *past, size_t *bytes)
{
	struct late_past *added = malloc(sizeof(*added));

	if (!added)
		return -ENOMEM;
	*added = *past;
	if (!tsearch(added, tree, compare_ranges)) {
		free(added);
		return -ENOMEM;
	}
	*bytes += PAST_BYTES;
	return 0;
}

int late_past__add(void **tree, const struct late_past *past, size_t *bytes)
{
	struct late_past whole = *past, *older;

	while ((older = find_overlap(tree, &whole))) {
		if (includes(older, &whole)) {
			if (older->gone_ns < whole.gone_ns)
				older->gone_ns = whole.gone_ns;
			return 0;
		}
		unite(&whole, older);
		tdelete(older, tree, compare_ranges);
		free(older);
		*bytes -= PAST_BYTES;
	}
	return insert(tree, &whole, bytes);
}

static void count_node(const void *node, VISIT order, void *bytes)
{
	(void)node;
	if (order == postorder || order == leaf)
		*(size_t *)bytes -= PAST_BYTES;
}

void late_past__clear(void **tree, size_t *bytes)
{
	twalk_r(*tree, count_node, bytes);
	tdestroy(*tree, free);
	*tree = NULL;
}
