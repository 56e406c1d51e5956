// SPDX-License-Identifier: GPL-2.0-only
/* Hits that the kernel kept from a program: their event, where several events share the program. */
#include "capture/sources/missed_hits.h"

#include "expect.h"
#include "profile/ledger.h"

/* 100, and then 40 more: all of them lost. */
static void test_alone(void)
{
	struct missed_hits missed = {.is_counted = true};
	struct ledger ledger = {.events = 5, .counted = 5, .whole = 5};

	missed_hits__take(&missed, 100, &ledger);
	missed_hits__take(&missed, 140, &ledger);
	EXPECT_EQ(ledger.events, 145);
	EXPECT_EQ(ledger.lost[LOSS_PROGRAM_BUSY], 140);
	EXPECT_EQ(ledger.kept_out, 0);
	EXPECT_EQ(ledger.lost_unmeasured, false);
	EXPECT_EQ(ledger__balances(&ledger), true);
}

/* The event of these hits is unknown: none gets them, and each one's ledger says so. */
static void test_shared(void)
{
	struct missed_hits missed = {.is_shared = true, .is_counted = true};
	struct ledger ledger = {0};

	missed_hits__take(&missed, 0, &ledger);
	EXPECT_EQ(ledger.lost_unmeasured, false);
	missed_hits__take(&missed, 100, &ledger);
	missed_hits__take(&missed, 140, &ledger);
	EXPECT_EQ(ledger.events, 0);
	EXPECT_EQ(ledger__lost(&ledger), 0);
	EXPECT_EQ(ledger.kept_out, 140);
	EXPECT_EQ(ledger.lost_unmeasured, true);
	EXPECT_EQ(ledger__balances(&ledger), true);
}

static void test_not_counted(void)
{
	struct missed_hits missed = {.is_counted = false};
	struct ledger ledger = {0};

	missed_hits__take(&missed, 0, &ledger);
	EXPECT_EQ(ledger.lost_unmeasured, true);
}

int main(void)
{
	static const struct test tests[] = {
		{"of one event", test_alone},
		{"of several events", test_shared},
		{"where the kernel does not count them", test_not_counted},
		{0},
	};

	return run_tests("missed_hits", tests);
}
