// SPDX-License-Identifier: GPL-2.0-only
#include "capture/raw_stacks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/hashtab.h>

#include "topstacks/capture.h"

struct raw_stacks {
	htab_t table;
	uint64_t next_id;
};

struct content {
	const uint64_t *addresses;
	uint32_t nr_frames;
};

static hashval_t hash_of(const void *entry)
{
	return ((const struct raw_stack *)entry)->hash;
}

static int has_content(const void *entry, const void *key)
{
	const struct raw_stack *stack = entry;
	const struct content *content = key;

	return stack->nr_frames == content->nr_frames &&
	       !memcmp(stack->addresses, content->addresses,
		       content->nr_frames * sizeof(*content->addresses));
}

struct raw_stacks *raw_stacks__new(void)
{
	struct raw_stacks *stacks = calloc(1, sizeof(*stacks));

	if (!stacks)
		return NULL;
	stacks->table = htab_try_create(1024, hash_of, has_content, free);
	if (!stacks->table) {
		free(stacks);
		return NULL;
	}
	return stacks;
}

void raw_stacks__free(struct raw_stacks *stacks)
{
	if (!stacks)
		return;
	htab_delete(stacks->table);
	free(stacks);
}

struct raw_stack *raw_stacks__get(struct raw_stacks *stacks, const uint64_t *addresses,
				  uint32_t nr_frames)
{
	struct content content = {addresses, nr_frames};
	size_t bytes = nr_frames * sizeof(*addresses);
	hashval_t hash = iterative_hash(addresses, bytes, nr_frames);
	struct raw_stack *stack;
	void **slot;

	slot = htab_find_slot_with_hash(stacks->table, &content, hash, INSERT);
	if (!slot)
		return NULL;
	if (!*slot) {
		stack = malloc(sizeof(*stack) + bytes);
		if (!stack) /* the slot stays empty, which the table allows */
			return NULL;
		stack->id = ++stacks->next_id;
		stack->hash = hash;
		stack->nr_references = 0;
		stack->nr_frames = nr_frames;
		memcpy(stack->addresses, addresses, bytes);
		*slot = stack;
	}
	stack = *slot;
	stack->nr_references++;
	return stack;
}

void raw_stacks__put(struct raw_stacks *stacks, struct raw_stack *stack)
{
	struct content content;

	if (!stack || --stack->nr_references)
		return;
	content = (struct content){stack->addresses, stack->nr_frames};
	htab_remove_elt_with_hash(stacks->table, &content, stack->hash);
}
