// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interns stacks, and named stacks: many stacks differ only in addresses. Named stacks are only
 * needed for merging by names, so they are made on demand.
 *
 *	stack 4: frames 17 18 2  ─┐
 *	stack 9: frames 21 18 2  ─┴─ named stack 3: names 5 6 0	(17 and 21 are both in function 5)
 */

#include "profile/dictionary.h"
#include "profile/interned.h"

#define CHUNK 256 /* names hashed at a time */

/* frames are those of the first stack with these names. */
struct named_stack {
	struct pool_item item;
	uint32_t nr_frames;
	const uint32_t *frames;
	const struct dictionary *dictionary;
};

int named_stack__equal(const void *left, const void *right)
{
	const struct named_stack *a = left, *b = right;

	if (a->nr_frames != b->nr_frames)
		return false;
	for (uint32_t i = 0; i < a->nr_frames; i++)
		if (a->frames[i] != b->frames[i] &&
		    dictionary__frame_name_id(a->dictionary, a->frames[i]) !=
			    dictionary__frame_name_id(a->dictionary, b->frames[i]))
			return false;
	return true;
}

uint32_t dictionary__add_stack(struct dictionary *dictionary, const uint32_t *frames,
			       size_t nr_frames)
{
	static const uint32_t nothing[1];

	return pool__number(&dictionary->stacks, nr_frames ? frames : nothing,
			    nr_frames * sizeof(*frames));
}

const uint32_t *dictionary__stack(const struct dictionary *dictionary, uint32_t stack,
				  size_t *nr_frames)
{
	*nr_frames = pool__nr_bytes(&dictionary->stacks, stack) / sizeof(uint32_t);
	return pool__bytes(&dictionary->stacks, stack);
}

uint32_t dictionary__named_stack(struct dictionary *dictionary, uint32_t stack)
{
	array__reserve(&dictionary->named, &dictionary->named_capacity,
		       dictionary->stacks.nr_items);
	for (; dictionary->nr_named <= stack; dictionary->nr_named++) {
		uint32_t names[CHUNK], hash = dictionary->seed, nr;
		size_t nr_frames;
		const uint32_t *frames =
			dictionary__stack(dictionary, (uint32_t)dictionary->nr_named, &nr_frames);
		struct named_stack key = {.nr_frames = (uint32_t)nr_frames,
					  .frames = frames,
					  .dictionary = dictionary};

		for (uint32_t done = 0; done < key.nr_frames; done += nr) {
			nr = key.nr_frames - done < CHUNK ? key.nr_frames - done : CHUNK;
			for (uint32_t i = 0; i < nr; i++)
				names[i] = dictionary__frame_name_id(dictionary, frames[done + i]);
			hash = map__hash_more(hash, names, nr * sizeof(*names));
		}
		key.item.hash = hash;
		dictionary->named[dictionary->nr_named] =
			pool__intern(&dictionary->named_stacks, &key.item, sizeof(key));
	}
	return dictionary->named[stack];
}

bool stack__is_caller(const struct dictionary *dictionary, const uint32_t *frames, size_t index)
{
	return index > 0 &&
	       (dictionary__frame(dictionary, frames[index])->kind == FRAME_KERNEL) ==
		       (dictionary__frame(dictionary, frames[index - 1])->kind == FRAME_KERNEL);
}

size_t stack__location_end(const struct dictionary *dictionary, const uint32_t *frames,
			   size_t nr_frames, size_t first)
{
	while (first + 1 < nr_frames && dictionary__frame(dictionary, frames[first])->inlined)
		first++;
	return first + 1;
}

size_t dictionary__nr_stacks(const struct dictionary *dictionary)
{
	return dictionary->stacks.nr_items;
}

int stack__compare_names(const struct dictionary *dictionary, uint32_t left, uint32_t right)
{
	size_t nr_left, nr_right;
	const uint32_t *a = dictionary__stack(dictionary, left, &nr_left);
	const uint32_t *b = dictionary__stack(dictionary, right, &nr_right);

	for (size_t i = 0; i < nr_left && i < nr_right; i++) {
		uint32_t name_a = dictionary__frame_name_id(dictionary, a[i]);
		uint32_t name_b = dictionary__frame_name_id(dictionary, b[i]);

		if (name_a != name_b)
			return name__compare(dictionary__name(dictionary, name_a),
					     dictionary__name(dictionary, name_b));
	}
	return (nr_left > nr_right) - (nr_left < nr_right);
}
