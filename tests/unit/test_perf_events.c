// SPDX-License-Identifier: GPL-2.0-only
/* Periods: near the rate asked for, and never two CPUs alike. */
#include "expect.h"

#include <errno.h>
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/sources/perf_events.h"

#define NR_CPUS 512

static void test_spread(void)
{
	double asked_ns = 1e9 / 99;
	unsigned int cpu, other;

	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		double off = fabs((double)perf_events__period_ns(99, cpu) / asked_ns - 1);

		EXPECT(off >= 0.0099 && off <= 0.0201);
		for (other = 0; other < cpu; other++)
			EXPECT(perf_events__period_ns(99, cpu) !=
			       perf_events__period_ns(99, other));
	}
}

/* Half of the CPUs are fast and half are slow: all together deliver the rate asked for. */
static void test_mean(void)
{
	double rate_hz = 0;
	unsigned int cpu;

	for (cpu = 0; cpu < NR_CPUS; cpu++)
		rate_hz += 1e9 / (double)perf_events__period_ns(4999, cpu);
	EXPECT_NEAR(rate_hz / NR_CPUS, 4999, 4999 * 0.001);
}

/*
 * HZ 250: at 1,000 Hz the fastest CPU has 1,020, so 4 or 5 samples in 4 ms, and the kernel
 * throttles at as many as it allows: 6, which is what a limit above 5 / 4 ms gives.
 */
static void test_needed_limit(void)
{
	EXPECT_NEAR(perf_events__needed_limit_hz(1000, 0.004), 1251, 0);
	EXPECT_NEAR(perf_events__needed_limit_hz(99, 0.004), 251, 0);
	EXPECT_NEAR(perf_events__needed_limit_hz(97000, 0.004), 99001, 0);
	EXPECT_NEAR(perf_events__needed_limit_hz(99, 0.001), 1001, 0);
	EXPECT(perf_events__tick_seconds() >= 0.0005 && perf_events__tick_seconds() <= 0.02);
}

/* A descriptor that gives less than all of what is asked tells nothing. */
static void test_short_read(void)
{
	struct perf_event event = {.cpu = 3, .fd = memfd_create("short", MFD_CLOEXEC)};
	struct perf_events events = {.events = &event, .nr_events = 1};
	struct error err = {0};

	EXPECT_EQ(write(event.fd, "12345678", 8), 8);
	lseek(event.fd, 0, SEEK_SET);
	EXPECT_EQ(perf_events__settle(&events, &err), -EIO);
	EXPECT_STR(err.text, "cannot read the perf event of CPU 3: input/output error");
	close(event.fd);
}

int main(void)
{
	static const struct test tests[] = {
		{"every CPU has a period of its own", test_spread},
		{"the mean rate is the one asked for", test_mean},
		{"what limit a rate takes", test_needed_limit},
		{"a short read is a failure", test_short_read},
		{0},
	};

	return run_tests("perf_events", tests);
}
