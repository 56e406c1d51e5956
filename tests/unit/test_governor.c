// SPDX-License-Identifier: GPL-2.0-only
/* The governor lowers the rate in time and far enough, for a cost of so many ns a second. */
#include "run/governor.h"

#include "expect.h"

#define SECOND 1000000000ULL

static double rate(struct governor *governor, double rate_hz, uint64_t now_ns, uint64_t used_ns)
{
	return governor__pace(governor, (struct pace){.rate_hz = rate_hz}, now_ns,
			      &(struct load){.used_ns = used_ns})
		.rate_hz;
}

static uint64_t one_in(struct governor *governor, uint64_t before, uint64_t now_ns,
		       uint64_t used_ns)
{
	return governor__pace(governor, (struct pace){.one_in = before}, now_ns,
			      &(struct load){.used_ns = used_ns})
		.one_in;
}

/* Past the call that begins and the first window, which are not judged. */
static struct governor judging(double max_share)
{
	struct governor governor = {.max_share = max_share};

	EXPECT_NEAR(rate(&governor, 4999, 100 * SECOND, 7 * SECOND), 4999, 0);
	EXPECT_NEAR(rate(&governor, 4999, 102 * SECOND, 9 * SECOND), 4999, 0);
	return governor;
}

static void test_keeps(void)
{
	struct governor none = {0}, governor = judging(0.01);

	EXPECT_NEAR(rate(&none, 4999, SECOND, SECOND), 4999, 0);
	/* 20 ms in 2 s are 1 % */
	EXPECT_NEAR(rate(&governor, 4999, 104 * SECOND, 9 * SECOND + 20000000), 4999, 0);
	/* a window that is not over: 1 s of CPU in it */
	EXPECT_NEAR(rate(&governor, 4999, 105 * SECOND, 10 * SECOND), 4999, 0);
}

static void test_lowers(void)
{
	struct governor governor = judging(0.01);

	/* 2 %: to 0.8 of a half */
	EXPECT_NEAR(rate(&governor, 4999, 104 * SECOND, 9 * SECOND + 40000000), 1999, 0);
	/* then 1.6 % */
	EXPECT_NEAR(rate(&governor, 1999, 106 * SECOND, 9 * SECOND + 72000000), 999, 0);
	EXPECT_NEAR(rate(&governor, 999, 108 * SECOND, 9 * SECOND + 80000000), 999, 0);
}

/* One that goes on for days has a floor, and its start is not held against it. */
static void test_lasting(void)
{
	struct governor governor = {.max_share = 0.01, .least_hz = 19, .nr_spared = 2};

	EXPECT_NEAR(rate(&governor, 99, 100 * SECOND, 0), 99, 0);
	EXPECT_NEAR(rate(&governor, 99, 102 * SECOND, 1 * SECOND), 99, 0);
	EXPECT_NEAR(rate(&governor, 99, 104 * SECOND, 2 * SECOND), 99, 0);
	EXPECT_NEAR(rate(&governor, 99, 106 * SECOND, 3 * SECOND), 99, 0);
	EXPECT_NEAR(rate(&governor, 99, 108 * SECOND, 4 * SECOND), 24, 0); /* a quarter at once */
	EXPECT_NEAR(rate(&governor, 24, 110 * SECOND, 4 * SECOND + 300000000), 19, 0);
	EXPECT_NEAR(rate(&governor, 19, 112 * SECOND, 4 * SECOND + 400000000), 19, 0);
}

static void test_bounds(void)
{
	struct governor governor = judging(0.01);

	/* a whole CPU: no more than to a quarter at once, and never below 1 Hz */
	EXPECT_NEAR(rate(&governor, 4999, 104 * SECOND, 11 * SECOND), 1249, 0);
	governor = judging(0.01);
	EXPECT_NEAR(rate(&governor, 2, 104 * SECOND, 11 * SECOND), 1, 0);
	governor = judging(0.01);
	EXPECT_NEAR(rate(&governor, 0.1, 104 * SECOND, 11 * SECOND), 0.1, 0);
}

/* The period of a counted event is a power of two, at least as large as asked for. */
static void test_period(void)
{
	struct governor governor = judging(0.01);

	EXPECT_EQ(one_in(&governor, 1, 103 * SECOND, 11 * SECOND), 1); /* it is not over */
	EXPECT_EQ(one_in(&governor, 1, 104 * SECOND, 9 * SECOND + 20000000), 1);
	/* 2 %: 1 / 0.4 */
	EXPECT_EQ(one_in(&governor, 1, 106 * SECOND, 9 * SECOND + 60000000), 4);
	/* 1.25 %: 4 / 0.64 */
	EXPECT_EQ(one_in(&governor, 4, 108 * SECOND, 9 * SECOND + 85000000), 8);
	/* a whole CPU: four times at once, and never beyond */
	EXPECT_EQ(one_in(&governor, 8, 110 * SECOND, 12 * SECOND), 32);
	EXPECT_EQ(one_in(&governor, 65536, 112 * SECOND, 14 * SECOND), 65536);
	/* there is nothing counted */
	EXPECT_EQ(one_in(&governor, 0, 114 * SECOND, 16 * SECOND), 0);
}

/* A window that took 2 % where 1 % is the bound: 0.4 of all samples are left. */
static struct pace share_out(uint64_t rated, uint64_t counted)
{
	struct governor governor = judging(0.01);

	return governor__pace(&governor, (struct pace){.rate_hz = 100, .one_in = 1}, 104 * SECOND,
			      &(struct load){.used_ns = 9 * SECOND + 40000000,
					     .rated = rated,
					     .counted = counted});
}

/* The class of events with more samples gives way first. */
static void test_classes(void)
{
	struct pace pace = share_out(400, 100000); /* 40,160 are left, 39,760 of them counted */

	EXPECT_NEAR(pace.rate_hz, 100, 0);
	EXPECT_EQ(pace.one_in, 4);
	pace = share_out(100000, 400);
	EXPECT_NEAR(pace.rate_hz, 39, 0);
	EXPECT_EQ(pace.one_in, 1);
	pace = share_out(1000, 1000);
	EXPECT_NEAR(pace.rate_hz, 40, 0);
	EXPECT_EQ(pace.one_in, 4);
	pace = share_out(1000, 1500); /* 500 of each */
	EXPECT_NEAR(pace.rate_hz, 50, 0);
	EXPECT_EQ(pace.one_in, 4);
	pace = share_out(400, 600); /* 200 of each */
	EXPECT_NEAR(pace.rate_hz, 50, 0);
	EXPECT_EQ(pace.one_in, 4);
	pace = share_out(0, 100);
	EXPECT_NEAR(pace.rate_hz, 100, 0);
	EXPECT_EQ(pace.one_in, 4);
}

/* Windows of 2 s cost so many ms each, after the first; returns the last one_in. */
static uint64_t one_in_after(struct governor *governor, const unsigned int *ms)
{
	uint64_t now_ns = 102 * SECOND, used_ns = 9 * SECOND, now = 1;

	for (; *ms; ms++) {
		now_ns += 2 * SECOND;
		used_ns += *ms * 1000000ULL;
		now = one_in(governor, now, now_ns, used_ns);
	}
	return now;
}

/*
 * The bound is 20 ms of a window. A step to a quarter that leaves more than 0.8125 of the cost is
 * in vain.
 */
static void test_in_vain(void)
{
	struct governor governor = judging(0.01);

	EXPECT_EQ(one_in_after(&governor, (unsigned int[]){1000, 300, 200, 0}), 64);
	EXPECT(!governor__is_beyond(&governor));
	/* one window may be an outlier, and two are none */
	governor = judging(0.01);
	EXPECT_EQ(one_in_after(&governor, (unsigned int[]){1000, 900, 0}), 4);
	EXPECT(!governor__is_beyond(&governor));
	governor = judging(0.01);
	EXPECT_EQ(one_in_after(&governor, (unsigned int[]){1000, 900, 700, 0}), 16);
	EXPECT(!governor__is_beyond(&governor));
	governor = judging(0.01);
	EXPECT_EQ(one_in_after(&governor, (unsigned int[]){1000, 900, 900, 800, 1500, 0}), 4);
	EXPECT(governor__is_beyond(&governor));
	/* it costs twice as much as that by then: the programs do more */
	governor = judging(0.01);
	EXPECT_EQ(one_in_after(&governor, (unsigned int[]){1000, 900, 900, 1800, 0}), 16);
	/* it was kept in between */
	governor = judging(0.01);
	EXPECT_EQ(one_in_after(&governor, (unsigned int[]){1000, 10, 900, 0}), 16);
	EXPECT(!governor__is_beyond(&governor));
}

/* So many samples may well be the cost: the programs do more of the counted work. */
static void test_more_to_do(void)
{
	struct governor governor = judging(0.01);
	struct pace pace = {.rate_hz = 99, .one_in = 1};
	struct load load = {.used_ns = 9 * SECOND};

	for (unsigned int i = 0; i < 4; i++) {
		load.used_ns += SECOND;
		load.counted += 60000; /* 17 us each */
		pace = governor__pace(&governor, pace, (104 + 2 * i) * SECOND, &load);
	}
	EXPECT_EQ(pace.one_in, 256);
	EXPECT_NEAR(pace.rate_hz, 99, 0);
	EXPECT(!governor__is_beyond(&governor));
	for (unsigned int i = 4; i < 8; i++) {
		load.used_ns += SECOND;
		load.counted += 40000; /* 25 us */
		pace = governor__pace(&governor, pace, (104 + 2 * i) * SECOND, &load);
	}
	EXPECT_EQ(pace.one_in, 256);
	EXPECT(governor__is_beyond(&governor));
}

/* 20 kHz on two CPUs at 1 %: 20 us a sample. */
static void test_overspent(void)
{
	struct governor governor = {.max_share = 0.01};
	struct pace pace = {.rate_hz = 20000};
	struct load load = {.used_ns = SECOND};
	uint64_t now_ns = 100 * SECOND;

	governor__pace(&governor, pace, now_ns, &load);
	/* The first window counts if its cost is that of samples, and ends before its time. */
	load.rated += 10000;
	load.used_ns += 200000000;
	pace = governor__pace(&governor, pace, now_ns += 250000000, &load);
	EXPECT_NEAR(pace.rate_hz, 20000, 0);
	load.rated += 10000;
	load.used_ns += 200000000;
	pace = governor__pace(&governor, pace, now_ns += 250000000, &load);
	EXPECT_NEAR(pace.rate_hz, 5000, 0);
	load.rated += 5000;
	load.used_ns += 100000000;
	pace = governor__pace(&governor, pace, now_ns += 500000000, &load);
	EXPECT_NEAR(pace.rate_hz, 1250, 0);
	/* A file that is read meanwhile is no sample: the window goes on. */
	load.rated += 1250;
	load.used_ns += 900000000;
	pace = governor__pace(&governor, pace, now_ns += 500000000, &load);
	EXPECT_NEAR(pace.rate_hz, 1250, 0);
	/* So it is with the first window of an ordinary rate. */
	governor = (struct governor){.max_share = 0.01};
	pace.rate_hz = 99;
	governor__pace(&governor, pace, now_ns, &load);
	load.rated += 198;
	load.used_ns += 900000000;
	pace = governor__pace(&governor, pace, now_ns + SECOND, &load);
	EXPECT_NEAR(pace.rate_hz, 99, 0);
	pace = governor__pace(&governor, pace, now_ns + 2 * SECOND, &load);
	EXPECT_NEAR(pace.rate_hz, 99, 0);
}

/* The cost of the pace before is not held against the next one. */
static void test_each_pace_has_its_window(void)
{
	struct governor governor = judging(0.01);
	struct load load = {.used_ns = 9 * SECOND, .rated = 1000};
	struct pace pace = {.rate_hz = 5000};

	/* A pace begins in the middle of a window, after a second of CPU. */
	load.used_ns += SECOND;
	governor__begin(&governor, 103 * SECOND, &load);
	pace = governor__pace(&governor, pace, 104 * SECOND, &load);
	EXPECT_NEAR(pace.rate_hz, 5000, 0); /* the window before would be over */
	load.used_ns += 40000000;
	pace = governor__pace(&governor, pace, 105 * SECOND, &load);
	EXPECT_NEAR(pace.rate_hz, 2000, 0); /* 2 % */
}

/* Naming is behind: a window costs no more than 20 us for each of its own samples. */
static void test_behind(void)
{
	struct governor governor = judging(0.01);
	struct load load = {.used_ns = 9 * SECOND};
	struct pace pace = {.rate_hz = 400};

	load.used_ns += SECOND;
	load.rated += 900; /* 18 ms of 20 */
	load.is_behind = true;
	pace = governor__pace(&governor, pace, 104 * SECOND, &load);
	EXPECT_NEAR(pace.rate_hz, 400, 0);
	/* Naming has caught up in the middle of the window. */
	load.used_ns += SECOND;
	load.rated += 900;
	pace = governor__pace(&governor, pace, 105 * SECOND, &load);
	load.is_behind = false;
	pace = governor__pace(&governor, pace, 106 * SECOND, &load);
	EXPECT_NEAR(pace.rate_hz, 400, 0);
	/* So many samples are too many even then: 40 ms, to 0.4 */
	load.is_behind = true;
	load.used_ns += SECOND;
	load.rated += 2000;
	pace = governor__pace(&governor, pace, 108 * SECOND, &load);
	EXPECT_NEAR(pace.rate_hz, 160, 0);
	/* 20 ms at most: the step was not in vain. */
	load.used_ns += SECOND;
	load.rated += 1000;
	pace = governor__pace(&governor, pace, 110 * SECOND, &load);
	EXPECT_NEAR(pace.rate_hz, 160, 0);
	EXPECT(!governor__is_beyond(&governor));
	/* Naming has caught up: the cost is whole again. */
	load.is_behind = false;
	load.used_ns += 40000000;
	load.rated += 1000;
	pace = governor__pace(&governor, pace, 112 * SECOND, &load);
	EXPECT_NEAR(pace.rate_hz, 64, 0);
}

int main(void)
{
	static const struct test tests[] = {
		{"keeps the rate within the bound", test_keeps},
		{"lowers it above", test_lowers},
		{"in steps, and not to nothing", test_bounds},
		{"a run that lasts", test_lasting},
		{"the period of what is counted rises", test_period},
		{"who takes more samples gives way first", test_classes},
		{"what does not help is not done again", test_in_vain},
		{"what may help is", test_more_to_do},
		{"a window that samples have overspent ends at once", test_overspent},
		{"each pace begins a window", test_each_pace_has_its_window},
		{"with naming behind, its own samples alone are judged", test_behind},
		{0},
	};

	return run_tests("governor", tests);
}
