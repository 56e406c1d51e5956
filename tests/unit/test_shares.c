// SPDX-License-Identifier: GPL-2.0-only
/* Several events share a set: one may take free room, and never another's. */
#include "expect.h"

#include <string.h>

#include "../../kern/account/shares.bpf.h"
#include "capture/kernel/sets.h"

#define CAPACITY 1024

static struct shares begin(size_t nr_events)
{
	const struct set_shape shape = {.capacity = CAPACITY, .max_depth = 127};
	struct shares shares;

	memset(&shares, 0xff, sizeof(shares)); /* of the set before */
	set__share_out(&shape, nr_events, &shares);
	return shares;
}

/* As many keys as there is room for, at most so many. */
static uint64_t take(struct shares *shares, unsigned int event, uint64_t most)
{
	uint64_t nr = 0;

	for (; nr < most && shares__have_room(shares, event); nr++)
		shares__take(shares, event);
	return nr;
}

static void test_one_takes_all(void)
{
	struct shares shares = begin(2);

	EXPECT_EQ(take(&shares, 0, UINT64_MAX), 128 + 768); /* all but an eighth */
	EXPECT_EQ(take(&shares, 1, UINT64_MAX), 128);
	EXPECT_EQ(take(&shares, 0, UINT64_MAX), 0);
}

/* Each event has its own room in any order, and all together have no more than there is. */
static void test_each_has_its_own(void)
{
	for (size_t nr_events = 2; nr_events <= ABI_MAX_EVENTS; nr_events++) {
		struct shares shares = begin(nr_events);
		const uint64_t room = CAPACITY;
		uint64_t taken = 0, own;

		EXPECT(shares.own >= room / 4 / nr_events && shares.own <= room / nr_events);
		for (unsigned int event = 0; event < nr_events; event++) {
			own = take(&shares, event, UINT64_MAX);
			EXPECT(own >= shares.own);
			taken += own;
		}
		EXPECT_EQ(taken, room);
	}
}

/* An event's own room counts when it comes late, too. */
static void test_by_turns(void)
{
	struct shares shares = begin(2);

	EXPECT_EQ(take(&shares, 1, 100), 100);
	EXPECT_EQ(take(&shares, 0, 500), 500);
	EXPECT_EQ(shares.nr_common, 500 - 128);
	EXPECT_EQ(take(&shares, 1, 100), 100); /* 28 of its own, 72 in common */
	EXPECT_EQ(shares.nr_common, 500 - 128 + 72);
	EXPECT_EQ(take(&shares, 0, UINT64_MAX), 1024 - 700);
	EXPECT_EQ(take(&shares, 1, UINT64_MAX), 0);
}

int main(void)
{
	static const struct test tests[] = {
		{"one takes what is free", test_one_takes_all},
		{"each has its own", test_each_has_its_own},
		{"by turns", test_by_turns},
		{0},
	};

	return run_tests("shares", tests);
}
