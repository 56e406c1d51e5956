// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counted events: the counts of their descriptors and the number of the program's runs give the
 * losses.
 */
#include "expect.h"

#include <string.h>

#include "capture/capture.h"
#include "capture/events/event.h"
#include "capture/events/source.h"
#include "capture/sources/perf_events.h"
#include "profile/ledger.h"

static struct perf_event descriptors[2];
static struct perf_events counters;
static struct ledger ledger;

static void begin(uint64_t period, bool is_frequency)
{
	memset(descriptors, 0, sizeof(descriptors));
	descriptors[0].period = descriptors[1].period = period;
	counters = (struct perf_events){
		.attr = {.freq = is_frequency, .sample_period = period},
		.events = descriptors,
		.nr_events = 2,
	};
	ledger = (struct ledger){0};
}

/* Both CPUs have been read, and the program has run so often in all. */
static void account(uint64_t first, uint64_t second, uint64_t nr_runs)
{
	descriptors[0].count = first;
	descriptors[1].count = second;
	counter_source.account(&counters, nr_runs, &ledger);
}

static void test_all_ran(void)
{
	begin(1, false);
	account(1000, 234, 1234);
	account(1001, 234, 1240); /* some came after the read */
	account(1001, 250, 1251);
	EXPECT_EQ(ledger.lost[LOSS_PROGRAM_BUSY], 0);
	EXPECT_EQ(ledger.events, 0); /* runs are the session's to add */
}

static void test_lost(void)
{
	begin(1, false);
	account(1000, 0, 990);
	EXPECT_EQ(ledger.lost[LOSS_PROGRAM_BUSY], 10);
	EXPECT_EQ(ledger.events, 10);
	account(1000, 100, 1090);
	EXPECT_EQ(ledger.lost[LOSS_PROGRAM_BUSY], 10);
	account(1000, 101, 1090);
	EXPECT_EQ(ledger.lost[LOSS_PROGRAM_BUSY], 11);
}

/* The part of a period that a CPU has counted since its last sample is no sample yet. */
static void test_period(void)
{
	begin(100, false);
	account(199, 399, 4);
	EXPECT_EQ(ledger.lost[LOSS_PROGRAM_BUSY], 0);
	account(200, 399, 4);
	EXPECT_EQ(ledger.lost[LOSS_PROGRAM_BUSY], 1);
}

static void test_frequency(void)
{
	begin(99, true);
	account(1000000, 1000000, 3);
	EXPECT_EQ(ledger.lost[LOSS_PROGRAM_BUSY], 0);
	EXPECT_EQ(ledger.events, 0);
}

static void test_words(void)
{
	struct events events;
	struct error err = {0};

	EXPECT_EQ(events__parse(&events, "faults:u,instructions,cs/period=7/,cycles/freq=9/", &err),
		  0);
	EXPECT_EQ(events.nr, 4);
	EXPECT(events.list[0].source == &counter_source);
	EXPECT_STR(events.list[0].name, "page-faults:u");
	EXPECT_STR(events.list[0].metrics.of[VALUE_WEIGHT].name, "page-faults:u");
	EXPECT_STR(events.list[0].metrics.of[VALUE_WEIGHT].unit, "events");
	EXPECT(!events.list[0].has_rate && events.list[1].has_rate && !events.list[2].has_rate);
	EXPECT_EQ(event__period(&events.list[0], 99), 1);
	EXPECT_EQ(event__period(&events.list[1], 99), 0);
	EXPECT_EQ(event__period(&events.list[2], 99), 7);
	EXPECT(!events.list[0].by_tracepoint && events.list[2].by_tracepoint == &switch_source);
	EXPECT(!events.list[0].without_library);
	EXPECT_NEAR(capture__needed_limit_hz("faults:u,cycles/freq=9/", 99), 0, 0);
	EXPECT(capture__needed_limit_hz("faults:u,instructions", 99) > 99);
	events__free(&events);
	EXPECT_EQ(events__parse(&events, "page-fault", &err), -ENOENT);
	EXPECT_STR(err.text, "no such event: \"page-fault\"; near: page-faults");
	EXPECT_EQ(events__parse(&events, "nowhere/event=1/", &err), -ENOENT);
	EXPECT(!strncmp(err.text, "this machine has no PMU \"nowhere\"", 33));
}

int main(void)
{
	static const struct test tests[] = {
		{"every one made the program run", test_all_ran},
		{"some did not", test_lost},
		{"one in a hundred", test_period},
		{"with a frequency the number of due samples is not known", test_frequency},
		{"as users say them", test_words},
		{0},
	};

	return run_tests("counter", tests);
}
