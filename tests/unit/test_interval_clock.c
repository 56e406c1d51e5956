// SPDX-License-Identifier: GPL-2.0-only
#include "run/interval_clock.h"

#include "expect.h"

#define MS     1000000ULL
#define SECOND (1000 * MS)
#define START  (100 * SECOND)

static struct interval_clock start(double interval_s, double duration_s)
{
	struct interval_clock clock;

	interval_clock__start(&clock, START, interval_s, duration_s, 99, false);
	return clock;
}

static void test_grid(void)
{
	struct interval_clock clock = start(2, 0);

	EXPECT_EQ(interval_clock__look(&clock, START + 2 * SECOND - 1, false), INTERVAL_RUNS);
	EXPECT_EQ(interval_clock__look(&clock, START + 2 * SECOND + 5 * MS, false), INTERVAL_OVER);
	interval_clock__next(&clock, START + 2 * SECOND + 5 * MS);
	EXPECT_EQ(clock.end_ns, START + 4 * SECOND); /* the delay does not add up */
	EXPECT_EQ(interval_clock__cut_ns(&clock), START + 4 * SECOND);
	/* one that was so late that another would be over at once */
	interval_clock__next(&clock, START + 9 * SECOND);
	EXPECT_EQ(clock.end_ns, START + 11 * SECOND);
}

/* The first picture comes within a second; from there on all intervals are as long as asked for. */
static void test_first_soon(void)
{
	struct interval_clock clock;
	uint64_t first_ns;

	interval_clock__start(&clock, START, 5, 0, 99, true);
	first_ns = clock.end_ns;
	EXPECT(first_ns > START && first_ns < START + SECOND);
	interval_clock__next(&clock, first_ns);
	EXPECT_EQ(clock.end_ns, first_ns + 5 * SECOND);
	interval_clock__start(&clock, START, 0.5, 0, 99, true);
	EXPECT_EQ(clock.end_ns, START + SECOND / 2);
	interval_clock__start(&clock, START, 0, 0, 99, true);
	EXPECT_EQ(clock.end_ns, UINT64_MAX);
}

static void test_run_ends(void)
{
	struct interval_clock clock = start(2, 3);

	interval_clock__next(&clock, START + 2 * SECOND);
	EXPECT_EQ(clock.until_ns, START + 3 * SECOND); /* before the interval would */
	EXPECT_EQ(interval_clock__cut_ns(&clock), 0);  /* the sampler knows the run's end */
	EXPECT_EQ(interval_clock__left_ns(&clock, START + 2 * SECOND), SECOND);
	EXPECT_EQ(interval_clock__left_ns(&clock, START + 5 * SECOND), 0);
	EXPECT_EQ(interval_clock__look(&clock, START + 3 * SECOND, true), INTERVAL_LAST);
}

static void test_one_interval(void)
{
	struct interval_clock clock = start(0, 0);

	EXPECT_EQ(interval_clock__cut_ns(&clock), 0);
	EXPECT_EQ(interval_clock__left_ns(&clock, START), UINT64_MAX);
	EXPECT_EQ(interval_clock__look(&clock, START + 99999 * SECOND, false), INTERVAL_RUNS);
}

static void test_waits_for_output(void)
{
	struct interval_clock clock = start(1, 0);

	EXPECT_EQ(interval_clock__look(&clock, START + SECOND, true), INTERVAL_WAITS);
	EXPECT_EQ(clock.until_ns, START + SECOND + 20 * MS);
	EXPECT_EQ(interval_clock__cut_ns(&clock), START + SECOND + 20 * MS);
	EXPECT_EQ(interval_clock__look(&clock, START + SECOND + 20 * MS, false), INTERVAL_OVER);
	interval_clock__next(&clock, START + SECOND + 20 * MS);
	EXPECT_EQ(clock.end_ns, START + 2 * SECOND);
}

/* A new rate is that of the next interval, which begins at once. */
static void test_changes(void)
{
	struct interval_clock clock = start(10, 0);

	interval_clock__change(&clock, 0, 0);
	EXPECT_EQ(interval_clock__look(&clock, START + SECOND, false), INTERVAL_RUNS);
	interval_clock__change(&clock, 0, 499);
	interval_clock__change(&clock, 3, 0);
	EXPECT_NEAR(clock.asked_hz, 99, 0);
	EXPECT_EQ(interval_clock__look(&clock, START + SECOND, true), INTERVAL_OVER);
	interval_clock__next(&clock, START + SECOND);
	EXPECT_NEAR(clock.asked_hz, 499, 0);
	EXPECT_EQ(clock.end_ns, START + 4 * SECOND);
	EXPECT_EQ(interval_clock__look(&clock, START + 2 * SECOND, false), INTERVAL_RUNS);
}

/* A rate that was lowered stays so until one is asked for, if only the same again. */
static void test_lowered(void)
{
	struct interval_clock clock = start(10, 0);

	clock.lowered_hz = 24;
	interval_clock__next(&clock, START + 10 * SECOND);
	EXPECT_NEAR(clock.lowered_hz, 24, 0);
	interval_clock__change(&clock, 3, 0);
	interval_clock__next(&clock, START + 11 * SECOND);
	EXPECT_NEAR(clock.lowered_hz, 24, 0);
	interval_clock__change(&clock, 0, 99);
	EXPECT_NEAR(clock.lowered_hz, 24, 0); /* of the interval under way */
	interval_clock__next(&clock, START + 12 * SECOND);
	EXPECT_NEAR(clock.lowered_hz, 0, 0);
}

int main(int argc, char **argv)
{
	static const struct test tests[] = {
		{"intervals keep to a grid", test_grid},
		{"the first one sooner", test_first_soon},
		{"the run ends in time", test_run_ends},
		{"without a length the run is one interval", test_one_interval},
		{"output that is not taken makes an interval longer", test_waits_for_output},
		{"changes end an interval", test_changes},
		{"a lowered rate stays until another is asked for", test_lowered},
		{0},
	};

	(void)argc;
	(void)argv;
	return run_tests("interval_clock", tests);
}
