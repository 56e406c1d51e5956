// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interned stacks, and the named stacks they are: many stacks differ only in addresses.
 *
 *	stack 4: frames 17 18 2  ─┐
 *	stack 9: frames 21 18 2  ─┴─ named stack 3: names 5 6 0	(17 and 21 are both in function 5)
 */
#include <errno.h>
#include <string.h>

#include "profile/dictionary.h"
#include "profile/interned.h"

#define CHUNK 256 /* names hashed at a time */

struct stack {
	struct pool_item item;
	uint32_t nr_frames;
	uint32_t named;
	const uint32_t *frames;
};

/* Refers to the frames of the first stack of these names. */
struct named_stack {
	struct pool_item item;
	uint32_t nr_frames;
	const uint32_t *frames;
	const struct dictionary *dictionary;
};

int stack__equal(const void *left, const void *right)
{
	const struct stack *a = left, *b = right;

	return a->item.hash == b->item.hash && a->nr_frames == b->nr_frames &&
	       !memcmp(a->frames, b->frames, a->nr_frames * sizeof(*a->frames));
}

int named_stack__equal(const void *left, const void *right)
{
	const struct named_stack *a = left, *b = right;

	if (a->item.hash != b->item.hash || a->nr_frames != b->nr_frames)
		return false;
	for (uint32_t i = 0; i < a->nr_frames; i++)
		if (a->frames[i] != b->frames[i] &&
		    dictionary__frame_name_id(a->dictionary, a->frames[i]) !=
			    dictionary__frame_name_id(a->dictionary, b->frames[i]))
			return false;
	return true;
}

static uint32_t hash_names(const struct dictionary *dictionary, const uint32_t *frames,
			   uint32_t nr_frames)
{
	uint32_t hash = dictionary->seed;
	uint32_t names[CHUNK];

	for (uint32_t done = 0, nr; done < nr_frames; done += nr) {
		nr = nr_frames - done < CHUNK ? nr_frames - done : CHUNK;
		for (uint32_t i = 0; i < nr; i++)
			names[i] = dictionary__frame_name_id(dictionary, frames[done + i]);
		hash = map__hash_more(hash, names, nr * sizeof(*names));
	}
	return hash;
}

static uint32_t add_named_stack(struct dictionary *dictionary, const uint32_t *frames,
				uint32_t nr_frames)
{
	struct named_stack key = {.item.hash = hash_names(dictionary, frames, nr_frames),
				  .nr_frames = nr_frames,
				  .frames = frames,
				  .dictionary = dictionary};

	return pool__intern(&dictionary->named_stacks, &key.item, sizeof(key));
}

uint32_t dictionary__add_stack(struct dictionary *dictionary, const uint32_t *frames,
			       size_t nr_frames)
{
	static const uint32_t nothing[1];
	size_t size = nr_frames * sizeof(*frames);
	struct stack key = {.nr_frames = (uint32_t)nr_frames,
			    .frames = nr_frames ? frames : nothing};
	const struct pool_item *known;

	key.item.hash = map__hash_more(dictionary->seed, key.frames, size);
	known = pool__find(&dictionary->stacks, &key.item);
	if (known)
		return known->id;
	key.frames = pool__copy(&dictionary->stacks, key.frames, size);
	if (!key.frames)
		return ID_NONE;
	key.named = add_named_stack(dictionary, key.frames, key.nr_frames);
	if (key.named == ID_NONE)
		return ID_NONE;
	return pool__intern(&dictionary->stacks, &key.item, sizeof(key));
}

static const struct stack *stack_item(const struct dictionary *dictionary, uint32_t stack)
{
	return (const struct stack *)dictionary->stacks.items[stack];
}

const uint32_t *dictionary__stack(const struct dictionary *dictionary, uint32_t stack,
				  size_t *nr_frames)
{
	*nr_frames = stack_item(dictionary, stack)->nr_frames;
	return stack_item(dictionary, stack)->frames;
}

uint32_t dictionary__named_stack(const struct dictionary *dictionary, uint32_t stack)
{
	return stack_item(dictionary, stack)->named;
}

bool stack__is_caller(const struct dictionary *dictionary, const uint32_t *frames, size_t index)
{
	return index > 0 &&
	       (dictionary__frame(dictionary, frames[index])->kind == FRAME_KERNEL) ==
		       (dictionary__frame(dictionary, frames[index - 1])->kind == FRAME_KERNEL);
}

size_t dictionary__nr_stacks(const struct dictionary *dictionary)
{
	return dictionary->stacks.nr_items;
}

int stack__compare_names(const struct dictionary *dictionary, uint32_t left, uint32_t right)
{
	const struct stack *a = stack_item(dictionary, left), *b = stack_item(dictionary, right);
	uint32_t nr_common = a->nr_frames < b->nr_frames ? a->nr_frames : b->nr_frames;

	if (a->named == b->named)
		return 0;
	for (uint32_t i = 0; i < nr_common; i++) {
		uint32_t name_a = dictionary__frame_name_id(dictionary, a->frames[i]);
		uint32_t name_b = dictionary__frame_name_id(dictionary, b->frames[i]);

		if (name_a != name_b)
			return name__compare(dictionary__name(dictionary, name_a),
					     dictionary__name(dictionary, name_b));
	}
	return (a->nr_frames > b->nr_frames) - (a->nr_frames < b->nr_frames);
}
