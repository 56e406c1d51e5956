// SPDX-License-Identifier: GPL-2.0-only
#include "capture/raw_stacks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/hashtab.h>

#include "base/map.h"
#include "capture/sample.h"
#include "topstacks/abi.h"

struct raw_stacks {
	pthread_mutex_t lock; /* guards what follows, and the stacks' numbers of references */
	htab_t table;
	uint32_t seed; /* of hashes: programs choose their addresses */
	uint64_t next_id;
};

struct content {
	const uint64_t *words;
	uint32_t nr_frames;
	enum stack_end end;
};

static hashval_t hash_of(const void *entry)
{
	return ((const struct raw_stack *)entry)->hash;
}

static int has_content(const void *entry, const void *key)
{
	const struct raw_stack *stack = entry;
	const struct content *content = key;

	return stack->nr_frames == content->nr_frames && stack->end == content->end &&
	       !memcmp(stack->words, content->words, content->nr_frames * sizeof(*content->words));
}

struct raw_stacks *raw_stacks__new(void)
{
	struct raw_stacks *stacks = calloc(1, sizeof(*stacks));

	if (!stacks)
		return NULL;
	stacks->seed = map__random_seed();
	stacks->table = htab_try_create(1024, hash_of, has_content, free);
	if (!stacks->table) {
		free(stacks);
		return NULL;
	}
	pthread_mutex_init(&stacks->lock, NULL);
	return stacks;
}

void raw_stacks__free(struct raw_stacks *stacks)
{
	if (!stacks)
		return;
	htab_delete(stacks->table);
	pthread_mutex_destroy(&stacks->lock);
	free(stacks);
}

static struct raw_stack *find_or_add(struct raw_stacks *stacks, const struct content *content,
				     hashval_t hash)
{
	size_t bytes = content->nr_frames * sizeof(*content->words);
	struct raw_stack *stack;
	void **slot;

	slot = htab_find_slot_with_hash(stacks->table, content, hash, INSERT);
	if (!slot)
		return NULL;
	if (!*slot) {
		stack = malloc(sizeof(*stack) + bytes);
		if (!stack) /* the slot stays empty, which the table allows */
			return NULL;
		stack->id = ++stacks->next_id;
		stack->end = content->end;
		stack->hash = hash;
		stack->nr_references = 0;
		stack->nr_frames = content->nr_frames;
		memcpy(stack->words, content->words, bytes);
		*slot = stack;
	}
	stack = *slot;
	stack->nr_references++;
	return stack;
}

struct raw_stack *raw_stacks__get(struct raw_stacks *stacks, const uint64_t *words,
				  uint32_t nr_frames, enum stack_end end)
{
	const struct content content = {words, nr_frames, end};
	hashval_t hash = map__hash_more(stacks->seed, words, nr_frames * sizeof(*words));
	struct raw_stack *stack;

	pthread_mutex_lock(&stacks->lock);
	stack = find_or_add(stacks, &content, hash);
	pthread_mutex_unlock(&stacks->lock);
	return stack;
}

/* Whoever has a reference has a stack of this table, and the table's are not constant. */
static struct raw_stack *own(const struct raw_stack *stack)
{
	return (struct raw_stack *)(uintptr_t)stack;
}

void raw_stacks__hold(struct raw_stacks *stacks, const struct raw_stack *stack)
{
	if (!stack)
		return;
	pthread_mutex_lock(&stacks->lock);
	own(stack)->nr_references++;
	pthread_mutex_unlock(&stacks->lock);
}

void raw_stacks__put(struct raw_stacks *stacks, const struct raw_stack *stack)
{
	struct content content;

	if (!stack)
		return;
	pthread_mutex_lock(&stacks->lock);
	if (!--own(stack)->nr_references) {
		content = (struct content){stack->words, stack->nr_frames, stack->end};
		htab_remove_elt_with_hash(stacks->table, &content, stack->hash);
	}
	pthread_mutex_unlock(&stacks->lock);
}

const char *word__language(uint64_t word)
{
	static const char *const names[LANGUAGES] = {
		[LANGUAGE_PYTHON] = "[python]",
		[LANGUAGE_PHP] = "[php]",
		[LANGUAGE_RUBY] = "[ruby]",
		[LANGUAGE_V8] = "[v8]",
	};
	uint32_t language = word_language(word);

	return language < LANGUAGES ? names[language] : "[interpreted]";
}
