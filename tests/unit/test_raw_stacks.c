// SPDX-License-Identifier: GPL-2.0-only
#include "expect.h"

#include "capture/capture.h"
#include "capture/raw_stacks.h"

static const uint64_t abc[] = {1, 2, 3}, abd[] = {1, 2, 4};

static void test_merging(void)
{
	struct raw_stacks *stacks = raw_stacks__new();
	struct raw_stack *first = raw_stacks__get(stacks, abc, 3, END_OPEN);
	struct raw_stack *other = raw_stacks__get(stacks, abd, 3, END_OPEN);
	struct raw_stack *shorter = raw_stacks__get(stacks, abc, 2, END_OPEN);

	EXPECT(raw_stacks__get(stacks, abc, 3, END_OPEN) == first);
	EXPECT(raw_stacks__get(stacks, abc, 3, END_WHOLE) != first);
	EXPECT_EQ(raw_stacks__get(stacks, abc, 3, END_WHOLE)->end, END_WHOLE);
	EXPECT(other != first && shorter != first);
	EXPECT(first->id != other->id && first->id != shorter->id && other->id != shorter->id);
	EXPECT_EQ(first->nr_frames, 3);
	EXPECT_EQ(first->addresses[2], 3);
	raw_stacks__free(stacks);
}

/* A stack of two sets outlives one of them; one that came back is a new one to every cache. */
static void test_references(void)
{
	struct raw_stacks *stacks = raw_stacks__new();
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

static void test_many(void)
{
	struct raw_stacks *stacks = raw_stacks__new();
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
		{"a hundred thousand stacks", test_many},
		{0},
	};

	return run_tests("raw_stacks", tests);
}
