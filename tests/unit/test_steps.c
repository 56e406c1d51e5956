// SPDX-License-Identifier: GPL-2.0-only
/*
 * The clock alone tells the samples of a timer that other programs keep out: against made-up timers
 * whose fate is known.
 */
#include "expect.h"

#include <stdbool.h>
#include <stdlib.h>

#include "../../kern/account/steps.bpf.h"

#define PERIOD 1000

static void test_lost(void)
{
	struct timer_phase phase = {0};

	EXPECT(!steps__are_due(&phase, 100, 5000)); /* its steps are not known yet */
	EXPECT(!steps__fired(&phase, 1000, PERIOD));
	EXPECT(!steps__are_due(&phase, 1200, 1400));
	EXPECT(steps__are_due(&phase, 1900, 2100));
	EXPECT(!steps__are_due(&phase, 1990, 2400)); /* that was told: an end is an estimate */
	EXPECT(!steps__fired(&phase, 3000, PERIOD)); /* the next one */
	EXPECT(steps__are_due(&phase, 3900, 4100));
	EXPECT(steps__are_due(&phase, 4900, 5100)); /* and one more, with no timer in between */
	EXPECT(!steps__fired(&phase, 6000, PERIOD));
}

/* With interrupts off, it comes right after the program that seemed to be in its way. */
static void test_late(void)
{
	struct timer_phase phase = {0};

	steps__fired(&phase, 1000, PERIOD);
	EXPECT(steps__are_due(&phase, 1900, 2100));
	EXPECT(steps__fired(&phase, 2110, PERIOD));
	EXPECT(!steps__are_due(&phase, 2200, 2900));
	EXPECT(steps__are_due(&phase, 2950,
			      3060)); /* the steps go on from 2000, and hardly later */
	EXPECT(!steps__fired(&phase, 4000, PERIOD));
}

/* Another rate has other steps. */
static void test_rate(void)
{
	struct timer_phase phase = {0};

	steps__fired(&phase, 1000, PERIOD);
	EXPECT(steps__are_due(&phase, 1900, 2100));
	EXPECT(!steps__fired(&phase, 2100, 3 * PERIOD));
	EXPECT(!steps__are_due(&phase, 2900, 4900));
	EXPECT(steps__are_due(&phase, 4900, 5200));
}

/*
 * A CPU with a timer of PERIOD, and programs of any length at any time, which are in the way of the
 * timer.
 */
static void test_many(void)
{
	struct timer_phase phase = {0};
	unsigned int nr_lost = 0, nr_told = 0;
	__u64 due_ns = PERIOD, start_ns = 0, end_ns = 0;

	srandom(4711);
	while (due_ns < 10000 * PERIOD) {
		start_ns = end_ns + 1 + (__u64)random() % PERIOD;
		end_ns = start_ns + (__u64)random() % (PERIOD / 2);
		for (; due_ns <= start_ns; due_ns += PERIOD)
			EXPECT(!steps__fired(&phase, due_ns, PERIOD));
		for (; due_ns <= end_ns; due_ns += PERIOD)
			nr_lost++;
		nr_told += steps__are_due(&phase, start_ns, end_ns);
	}
	EXPECT(nr_lost > 2000);
	EXPECT_NEAR(nr_told, nr_lost, 1); /* losses before the first that fired are unknown */
}

int main(void)
{
	static const struct test tests[] = {
		{"one that is due while another program runs is lost", test_lost},
		{"unless it only waited", test_late},
		{"another rate", test_rate},
		{"thousands", test_many},
		{0},
	};

	return run_tests("steps", tests);
}
