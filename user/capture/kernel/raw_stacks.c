// SPDX-License-Identifier: GPL-2.0-only
#include "capture/kernel/raw_stacks.h"

#include <pthread.h>

#include <libiberty/hashtab.h>

#include "capture/events/sample.h"
#include "capture/kernel/code_objects.h"
#include "profile/ledger.h"
#include "topstacks/abi.h"
#include "topstacks/unwind_abi.h"

struct raw_stacks {
	struct code_objects *codes; /* borrowed */
	/* guards the table, and counts that rise from 0 or fall to it */
	pthread_mutex_t lock;
	htab_t table;
	/*
	 * the seed of hashes: sampled programs choose their addresses, and could make hashes
	 * collide
	 */
	uint32_t seed;
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

static void free_stack(void *entry)
{
	struct raw_stack *stack = entry;

	free(stack->codes);
	free(stack);
}

struct raw_stacks *raw_stacks__new(struct code_objects *codes)
{
	struct raw_stacks *stacks = xcalloc(1, sizeof(*stacks));

	stacks->codes = codes;
	stacks->seed = map__random_seed();
	stacks->table = htab_create_alloc(1024, hash_of, has_content, free_stack, xcalloc, free);
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

/*
 * Looks up codes that were unknown when the stack was last seen. Stores atomically, as other
 * threads may read.
 */
static void find_codes(struct raw_stacks *stacks, struct raw_stack *stack)
{
	for (uint32_t i = 0; stacks->codes && stack->codes && i < stack->nr_frames; i++)
		if (word_language(stack->words[i]) && !stack->codes[i])
			__atomic_store_n(&stack->codes[i],
					 code_objects__find(stacks->codes, stack->words[i]),
					 __ATOMIC_RELEASE);
}

const struct code *raw_stack__code(const struct raw_stack *stack, uint32_t index)
{
	return stack->codes ? __atomic_load_n(&stack->codes[index], __ATOMIC_ACQUIRE) : NULL;
}

static struct raw_stack *new_stack(const struct content *content, hashval_t hash, uint64_t id)
{
	const size_t bytes = content->nr_frames * sizeof(*content->words);
	struct raw_stack *stack = xmalloc(sizeof(*stack) + bytes);

	stack->id = id;
	stack->end = content->end;
	stack->hash = hash;
	stack->nr_references = 0;
	stack->nr_frames = content->nr_frames;
	memcpy(stack->words, content->words, bytes);
	stack->codes = NULL;
	for (uint32_t i = 0; i < stack->nr_frames && !stack->codes; i++)
		if (word_language(stack->words[i]))
			stack->codes = xcalloc(stack->nr_frames, sizeof(*stack->codes));
	return stack;
}

struct raw_stack *raw_stacks__get(struct raw_stacks *stacks, const uint64_t *words,
				  uint32_t nr_frames, enum stack_end end)
{
	const struct content content = {words, nr_frames, end};
	hashval_t hash = map__hash_more(stacks->seed, words, nr_frames * sizeof(*words));
	struct raw_stack *stack;
	void **slot;

	pthread_mutex_lock(&stacks->lock);
	slot = htab_find_slot_with_hash(stacks->table, &content, hash, INSERT);
	if (!*slot)
		*slot = new_stack(&content, hash, ++stacks->next_id);
	stack = *slot;
	__atomic_add_fetch(&stack->nr_references, 1, __ATOMIC_RELAXED);
	find_codes(stacks, stack);
	pthread_mutex_unlock(&stacks->lock);
	return stack;
}

/* Removes const: every referenced stack is an entry of the table, which is not constant. */
static struct raw_stack *own(const struct raw_stack *stack)
{
	return (struct raw_stack *)(uintptr_t)stack;
}

void raw_stacks__hold(const struct raw_stack *stack)
{
	if (stack)
		__atomic_add_fetch(&own(stack)->nr_references, 1, __ATOMIC_RELAXED);
}

void raw_stacks__put(struct raw_stacks *stacks, const struct raw_stack *stack)
{
	struct content content;
	uint32_t nr;

	if (!stack)
		return;
	/* The last reference goes under the lock: nothing finds the stack meanwhile. */
	nr = __atomic_load_n(&stack->nr_references, __ATOMIC_RELAXED);
	while (nr > 1)
		if (__atomic_compare_exchange_n(&own(stack)->nr_references, &nr, nr - 1, true,
						__ATOMIC_RELEASE, __ATOMIC_RELAXED))
			return;
	pthread_mutex_lock(&stacks->lock);
	if (!__atomic_sub_fetch(&own(stack)->nr_references, 1, __ATOMIC_ACQ_REL)) {
		for (uint32_t i = 0; stack->codes && i < stack->nr_frames; i++)
			code_objects__put(stacks->codes, stack->codes[i]);
		content = (struct content){stack->words, stack->nr_frames, stack->end};
		htab_remove_elt_with_hash(stacks->table, &content, stack->hash);
	}
	pthread_mutex_unlock(&stacks->lock);
}

enum stack_end stack_end__of_walk(const struct spilled_stack *stack)
{
	static const enum cut cuts[UNWIND_STEPS] = {
		[UNWIND_STEP_NONE] = CUT_NO_RULE,      [UNWIND_STEP_UNMAPPED] = CUT_UNMAPPED,
		[UNWIND_STEP_OTHER] = CUT_OTHER_RULE,  [UNWIND_STEP_UNREADABLE] = CUT_UNREADABLE,
		[UNWIND_STEP_LOST] = CUT_FP_LOST,      [UNWIND_STEP_BACKWARDS] = CUT_BACKWARDS,
		[UNWIND_STEP_DEEP] = CUT_DEPTH,	       [UNWIND_STEP_NO_ROOM] = CUT_NO_ROOM,
		[UNWIND_STEP_UNLISTED] = CUT_UNLISTED,
	};

	if (stack->end == UNWIND_STEP_END)
		return stack->nr_guessed ? END_OPEN : END_WHOLE;
	if (stack->end > UNWIND_STEP_END && stack->end < UNWIND_STEPS)
		return (enum stack_end)(cuts[stack->end] +
					(stack->nr_guessed ? END_GUESSED_CUT : END_CUT));
	return END_OPEN;
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
