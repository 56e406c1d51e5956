// SPDX-License-Identifier: GPL-2.0-only
/* Stacks of waits that outlive the set of maps in which they were stored. */
#include "expect.h"

#include <stddef.h>

#include "capture/events/sample.h"
#include "capture/kernel/raw_stacks.h"
#include "capture/kernel/sets.h"

#define KEY   0x123456789abcdefULL
#define OTHER 0xfedcba987654321ULL

struct carrying {
	struct raw_stacks *raw_stacks;
	struct wait_stacks *carried;
	struct raw_stack *stack; /* one reference to it is ours */
};

static struct carrying open_fixture(void)
{
	static const uint64_t words[] = {1, 2, 3};
	struct carrying fixture = {.raw_stacks = raw_stacks__new(NULL)};

	fixture.carried = wait_stacks__new(fixture.raw_stacks);
	fixture.stack = raw_stacks__get(fixture.raw_stacks, words, 3, END_WHOLE);
	return fixture;
}

static void close_fixture(struct carrying *fixture)
{
	wait_stacks__free(fixture->carried);
	EXPECT_EQ(fixture->stack->nr_references, 1);
	raw_stacks__put(fixture->raw_stacks, fixture->stack);
	raw_stacks__free(fixture->raw_stacks);
}

static void drain(struct carrying *fixture, int nr)
{
	while (nr-- > 0)
		wait_stacks__forget(fixture->carried);
}

static const struct raw_stack *recall(struct carrying *fixture)
{
	return wait_stacks__name(fixture->carried, KEY, NULL);
}

/*
 * The cut of the generation after the next one is the last that may name a stack that was named
 * now.
 */
static void test_life(void)
{
	struct carrying fixture = open_fixture();

	EXPECT(wait_stacks__name(fixture.carried, KEY, fixture.stack) == fixture.stack);
	EXPECT_EQ(fixture.stack->nr_references, 2);
	drain(&fixture, 2);
	EXPECT_EQ(fixture.stack->nr_references, 2);
	drain(&fixture, 1);
	EXPECT_EQ(fixture.stack->nr_references, 1);
	EXPECT(recall(&fixture) == NULL);
	close_fixture(&fixture);
}

/* A wait of any length has its stack to the end. */
static void test_named_again(void)
{
	struct carrying fixture = open_fixture();

	wait_stacks__name(fixture.carried, KEY, fixture.stack);
	for (int i = 0; i < 100; i++) {
		drain(&fixture, 2);
		EXPECT(recall(&fixture) == fixture.stack);
		EXPECT_EQ(fixture.stack->nr_references, 2);
	}
	drain(&fixture, 3);
	EXPECT(recall(&fixture) == NULL);
	close_fixture(&fixture);
}

/* Two keys of a stack live for themselves. A key that has a stack takes no second reference. */
static void test_references(void)
{
	struct carrying fixture = open_fixture();

	wait_stacks__name(fixture.carried, KEY, fixture.stack);
	wait_stacks__name(fixture.carried, KEY, fixture.stack);
	EXPECT_EQ(fixture.stack->nr_references, 2);
	drain(&fixture, 1);
	wait_stacks__name(fixture.carried, OTHER, fixture.stack);
	EXPECT_EQ(fixture.stack->nr_references, 3);
	drain(&fixture, 2);
	EXPECT_EQ(fixture.stack->nr_references, 2);
	EXPECT(recall(&fixture) == NULL);
	EXPECT(wait_stacks__name(fixture.carried, OTHER, NULL) == fixture.stack);
	close_fixture(&fixture); /* with one that is still there */
}

/* A stack that has gone comes back when it is stored again. */
static void test_return(void)
{
	struct carrying fixture = open_fixture();

	EXPECT(recall(&fixture) == NULL);
	wait_stacks__name(fixture.carried, KEY, fixture.stack);
	drain(&fixture, 3);
	EXPECT(wait_stacks__name(fixture.carried, KEY, fixture.stack) == fixture.stack);
	drain(&fixture, 1);
	EXPECT(recall(&fixture) == fixture.stack);
	close_fixture(&fixture);
	wait_stacks__free(NULL);
}

int main(void)
{
	static const struct test tests[] = {
		{"a stack lives for two drains", test_life},
		{"or on, if one of them names it", test_named_again},
		{"no reference is kept or lost", test_references},
		{"who is forgotten may come again", test_return},
		{0},
	};

	return run_tests("wait_stacks", tests);
}
