// SPDX-License-Identifier: GPL-2.0-only
/* What is kept of the past, for how long, and that it is the same when it is packed. */
#include "slices.h"

#define KEEP (60 * SECOND)

static uint64_t count_in(struct store *store, const struct slice *slice)
{
	struct recording recording;
	uint64_t count;

	EXPECT_EQ(store__read(store, slice, &recording), 0);
	count = profile__total(recording.profile, VALUE_COUNT);
	EXPECT_EQ(recording.ledger.counted, count);
	EXPECT_EQ(recording.duration_ns, 5 * SECOND);
	EXPECT_STR(recording.facts[FACT_EVENT], "cpu-clock");
	recording__fini(&recording);
	return count;
}

/* The numbers of samples in the slices of a time: "3 4". */
static void expect_slices(struct store *store, struct span span, const char *wanted)
{
	struct slices slices;
	char found[256] = "";

	EXPECT_EQ(store__hold(store, &span, &slices), 0);
	for (size_t i = 0; i < slices.nr; i++)
		snprintf(found + strlen(found), sizeof(found) - strlen(found), "%s%lu",
			 i ? " " : "", (unsigned long)count_in(store, slices.list[i]));
	EXPECT_STR(found, wanted);
	store__let_go(store, &slices);
}

static void test_time(void)
{
	struct store store;
	struct span realtime = {DAY_BEGAN + (int64_t)(10 * SECOND),
				DAY_BEGAN + (int64_t)(20 * SECOND), true};

	store__init(&store, 1 << 20, KEEP);
	add_slices(&store, 6);
	expect_slices(&store, span_of(0, 30), "1 2 3 4 5 6"); /* packed and not */
	expect_slices(&store, span_of(10, 20), "3 4");
	expect_slices(&store, span_of(12, 19), "3 4"); /* more than half of each */
	expect_slices(&store, span_of(13, 17), "");
	expect_slices(&store, span_of(30, 60), "");
	expect_slices(&store, realtime, "3 4");
	store__fini(&store);
}

static void test_old_ones_go(void)
{
	struct store store;
	uint64_t from_ns, to_ns;

	store__init(&store, 1 << 20, KEEP);
	add_slices(&store, 20);
	store__reach(&store, &from_ns, &to_ns);
	EXPECT_EQ(to_ns, 100 * SECOND);
	EXPECT_EQ(from_ns, 35 * SECOND); /* that which ended 60 s ago is still there */
	EXPECT_EQ(store__facts(&store).nr_forgotten, 0);
	EXPECT_EQ(store__facts(&store).reach_ns, 65 * SECOND);
	store__fini(&store);
}

static void test_memory_is_bounded(void)
{
	struct store store;
	struct store_facts facts;
	size_t size;

	store__init(&store, 1 << 20, KEEP);
	add_slices(&store, 4); /* of which one is packed */
	size = store__facts(&store).nr_bytes;
	store__fini(&store);
	EXPECT(size > 0);

	store__init(&store, 3 * size + size / 2, 1000 * SECOND);
	add_slices(&store, 20);
	facts = store__facts(&store);
	EXPECT(facts.nr_bytes <= 3 * size + size / 2);
	EXPECT_EQ(facts.nr_slices + facts.nr_forgotten, 20);
	EXPECT(facts.nr_slices >= 3); /* what there is room for: large ones do not stay fresh */
	store__fini(&store);
}

static void test_held_slices_stay(void)
{
	struct store store;
	struct span span = span_of(0, 5);
	struct slices slices;

	store__init(&store, 1 << 20, KEEP);
	add_slices(&store, 1);
	EXPECT_EQ(store__hold(&store, &span, &slices), 0);
	add_slices(&store, 40);
	EXPECT_EQ(slices.nr, 1);
	EXPECT_EQ(count_in(&store, slices.list[0]), 1);
	store__let_go(&store, &slices);
	store__fini(&store);
}

static int count_fresh(void *context, struct recording *slice)
{
	*(size_t *)context += slice->profile != NULL;
	return 0;
}

static void test_names_may_come_late(void)
{
	struct store store;
	size_t nr = 0;

	store__init(&store, 1 << 20, KEEP);
	add_slices(&store, 8);
	EXPECT_EQ(store__visit_fresh(&store, count_fresh, &nr), 0);
	EXPECT_EQ(nr, 3);
	store__fini(&store);
}

int main(void)
{
	static const struct test tests[] = {
		{"slices of a time", test_time},
		{"what is too old goes", test_old_ones_go},
		{"memory is bounded", test_memory_is_bounded},
		{"what somebody reads stays", test_held_slices_stay},
		{"names may come late", test_names_may_come_late},
		{0},
	};

	return run_tests("store", tests);
}
