// SPDX-License-Identifier: GPL-2.0-only
#include "capture/raw_stacks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "capture/sample.h"
#include "topstacks/abi.h"

struct raw_stacks {
	pthread_mutex_t lock; /* guards what follows, and the stacks' numbers of references */
	struct map map;
	uint64_t next_id;
};

struct content {
	struct map_item item;
	const uint64_t *words;
	uint32_t nr_frames;
	enum stack_end end;
};

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
	if (map__init(&stacks->map, has_content, free)) {
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
	map__fini(&stacks->map);
	pthread_mutex_destroy(&stacks->lock);
	free(stacks);
}

static struct raw_stack *add_stack(struct raw_stacks *stacks, const struct content *content)
{
	size_t bytes = content->nr_frames * sizeof(*content->words);
	struct raw_stack *stack = malloc(sizeof(*stack) + bytes);

	if (!stack)
		return NULL;
	*stack = (struct raw_stack){.item = content->item,
				    .id = ++stacks->next_id,
				    .end = content->end,
				    .nr_frames = content->nr_frames};
	memcpy(stack->words, content->words, bytes);
	if (!map__add(&stacks->map, &stack->item))
		return stack;
	free(stack);
	return NULL;
}

struct raw_stack *raw_stacks__get(struct raw_stacks *stacks, const uint64_t *words,
				  uint32_t nr_frames, enum stack_end end)
{
	const uint32_t hash = map__hash(&stacks->map, words, nr_frames * sizeof(*words));
	const struct content content = {{hash}, words, nr_frames, end};
	struct raw_stack *stack;

	pthread_mutex_lock(&stacks->lock);
	stack = map__find(&stacks->map, &content.item);
	if (!stack)
		stack = add_stack(stacks, &content);
	if (stack)
		stack->nr_references++;
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
	if (!stack)
		return;
	pthread_mutex_lock(&stacks->lock);
	if (!--own(stack)->nr_references) {
		const struct content content = {stack->item, stack->words, stack->nr_frames,
						stack->end};

		map__remove(&stacks->map, &content.item);
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
