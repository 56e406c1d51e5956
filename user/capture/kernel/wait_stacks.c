// SPDX-License-Identifier: GPL-2.0-only
#include "capture/kernel/sets.h"

#include "capture/kernel/raw_stacks.h"

#define LIFE 2 /* drains for which a stack is kept after its last use */

struct carried {
	struct map_number key;
	const struct raw_stack *stack;
	uint64_t named_in; /* number of the last drain that used it */
};

struct wait_stacks {
	struct map by_key;
	struct raw_stacks *raw_stacks;
	uint64_t drain;
};

struct wait_stacks *wait_stacks__new(struct raw_stacks *raw_stacks)
{
	struct wait_stacks *carried = xcalloc(1, sizeof(*carried));

	carried->raw_stacks = raw_stacks;
	map__init_numbers(&carried->by_key, free);
	return carried;
}

static bool drop(void *item, void *context)
{
	const struct wait_stacks *carried = context;

	raw_stacks__put(carried->raw_stacks, ((struct carried *)item)->stack);
	return true;
}

void wait_stacks__free(struct wait_stacks *carried)
{
	if (!carried)
		return;
	map__visit(&carried->by_key, drop, carried);
	map__fini(&carried->by_key);
	free(carried);
}

const struct raw_stack *wait_stacks__name(struct wait_stacks *carried, uint64_t key,
					  const struct raw_stack *stack)
{
	struct carried *known = map__find_number(&carried->by_key, key);

	if (!known && stack) {
		known = map__add_number(&carried->by_key, key, sizeof(*known));
		known->stack = stack;
		raw_stacks__hold(stack);
	}
	if (!known)
		return NULL;
	known->named_in = carried->drain;
	return known->stack;
}

static bool drop_old(void *item, void *context)
{
	const struct carried *known = item;
	const struct wait_stacks *carried = context;

	return known->named_in + LIFE < carried->drain && drop(item, context);
}

void wait_stacks__forget(struct wait_stacks *carried)
{
	carried->drain++;
	map__visit(&carried->by_key, drop_old, carried);
}
