// SPDX-License-Identifier: GPL-2.0-only
#include "expect.h"

#include <stddef.h>

#include "capture/events/sample.h"
#include "capture/kernel/raw_stacks.h"
#include "topstacks/abi.h"

static const uint64_t abc[] = {1, 2, 3}, abd[] = {1, 2, 4};

static void test_merging(void)
{
	struct raw_stacks *stacks = raw_stacks__new(NULL);
	struct raw_stack *first = raw_stacks__get(stacks, abc, 3, END_OPEN);
	struct raw_stack *other = raw_stacks__get(stacks, abd, 3, END_OPEN);
	struct raw_stack *shorter = raw_stacks__get(stacks, abc, 2, END_OPEN);

	EXPECT(raw_stacks__get(stacks, abc, 3, END_OPEN) == first);
	EXPECT(raw_stacks__get(stacks, abc, 3, END_WHOLE) != first);
	EXPECT_EQ(raw_stacks__get(stacks, abc, 3, END_WHOLE)->end, END_WHOLE);
	EXPECT(other != first && shorter != first);
	EXPECT(first->id != other->id && first->id != shorter->id && other->id != shorter->id);
	EXPECT_EQ(first->nr_frames, 3);
	EXPECT_EQ(first->words[2], 3);
	raw_stacks__free(stacks);
}

/* A stack of two sets outlives one of them; one that came back is a new one to every cache. */
static void test_references(void)
{
	struct raw_stacks *stacks = raw_stacks__new(NULL);
	struct raw_stack *stack = raw_stacks__get(stacks, abc, 3, END_OPEN);
	uint64_t id = stack->id;

	raw_stacks__get(stacks, abc, 3, END_OPEN);
	raw_stacks__put(stacks, stack);
	EXPECT(raw_stacks__get(stacks, abc, 3, END_OPEN) == stack);
	raw_stacks__put(stacks, stack);
	raw_stacks__put(stacks, stack);
	EXPECT(raw_stacks__get(stacks, abc, 3, END_OPEN)->id != id);
	raw_stacks__put(stacks, NULL);
	raw_stacks__free(stacks);
}

/* Interpreted code goes the way of addresses, and is not taken for one. */
static void test_interpreted(void)
{
	uint64_t word = WORD_INTERPRETED(LANGUAGE_PYTHON, 7, 0x123456789abULL);
	uint64_t words[] = {0x401000, word, 0x401234};
	struct raw_stacks *stacks = raw_stacks__new(NULL);
	struct raw_stack *stack = raw_stacks__get(stacks, words, 3, END_OPEN);

	EXPECT(word__language(stack->words[0]) == NULL);
	EXPECT_STR(word__language(stack->words[1]), "[python]");
	EXPECT(word__language(stack->words[2]) == NULL);
	words[1] = WORD_INTERPRETED(LANGUAGE_PYTHON, 8, 0x123456789abULL);
	EXPECT(raw_stacks__get(stacks, words, 3, END_OPEN) != stack);
	words[1] = word;
	EXPECT(raw_stacks__get(stacks, words, 3, END_OPEN) == stack);
	raw_stacks__free(stacks);
}

static void test_many(void)
{
	struct raw_stacks *stacks = raw_stacks__new(NULL);
	struct raw_stack *first = NULL;
	uint64_t address;

	for (address = 0; address < 100000; address++)
		if (!address)
			first = raw_stacks__get(stacks, &address, 1, END_OPEN);
		else
			raw_stacks__get(stacks, &address, 1, END_OPEN);
	address = 0;
	EXPECT(raw_stacks__get(stacks, &address, 1, END_OPEN) == first);
	EXPECT(raw_stacks__get(stacks, &address, 0, END_OPEN)->nr_frames == 0);
	raw_stacks__free(stacks);
}

int main(void)
{
	static const struct test tests[] = {
		{"equal stacks are one", test_merging},
		{"a stack lives as long as a reference", test_references},
		{"interpreted code is a frame like others", test_interpreted},
		{"a hundred thousand stacks", test_many},
		{0},
	};

	return run_tests("raw_stacks", tests);
}
