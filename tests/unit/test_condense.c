// SPDX-License-Identifier: GPL-2.0-only
#include "expect.h"
#include "model.h"

/* Samples in "from", condensed to two stacks in a dictionary of its own. */
static struct profile *condense(struct model *from, struct dictionary *into)
{
	add(from, "cc1", 10, 50, "parse@cc1 main@cc1");
	add(from, "cc1", 11, 30, "fold@cc1 main@cc1");
	add(from, "cc1", 12, 2, "rare@cc1 main@cc1");
	add(from, "cc1", 13, 3, "rarer@cc1 main@cc1");
	add(from, "as", 14, 1, "emit@as main@as");
	return profile__condense(from->profile, 2, into);
}

static void test_totals(void)
{
	struct dictionary *into = dictionary__new();
	struct model from = model__new();
	struct profile *condensed = condense(&from, into);
	struct row *rows;

	EXPECT_EQ(profile__total(condensed, VALUE_COUNT), 86);
	EXPECT_EQ(profile__top_stacks(condensed, MERGE_BY_COMM, &rows), 4);
	EXPECT_EQ(rows[0].values[VALUE_COUNT], 50);
	EXPECT_EQ(rows[1].values[VALUE_COUNT], 30);
	EXPECT_EQ(rows[2].values[VALUE_COUNT], 5); /* 2 + 3 of cc1, of several processes */
	EXPECT_EQ(rows[3].values[VALUE_COUNT], 1);
	free(rows);
	profile__free(condensed);
	dictionary__free(into);
	model__free(&from);
}

static void test_leaves_rare_frames_behind(void)
{
	struct dictionary *into = dictionary__new();
	struct model from = model__new();
	struct profile *condensed = condense(&from, into);

	/* parse, fold, main and [other stacks] */
	EXPECT_EQ(dictionary__nr_frames(into), 4);
	EXPECT_EQ(dictionary__nr_stacks(into), 3);
	profile__free(condensed);
	dictionary__free(into);
	model__free(&from);
}

static void test_empty(void)
{
	struct dictionary *into = dictionary__new();
	struct model from = model__new();
	struct profile *condensed = profile__condense(from.profile, 2, into);

	EXPECT_EQ(profile__total(condensed, VALUE_COUNT), 0);
	profile__free(condensed);
	dictionary__free(into);
	model__free(&from);
}

int main(void)
{
	static const struct test tests[] = {
		{"no count is lost", test_totals},
		{"rare frames stay behind", test_leaves_rare_frames_behind},
		{"nothing condenses to nothing", test_empty},
		{0},
	};

	return run_tests("condense", tests);
}
