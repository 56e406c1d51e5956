// SPDX-License-Identifier: GPL-2.0-only
/* Periods: near the rate asked for, and never two CPUs alike. */
#include "expect.h"

#include <math.h>

#include "capture/events.h"

#define NR_CPUS 512

static void test_spread(void)
{
	double asked_ns = 1e9 / 99;
	unsigned int cpu, other;

	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		double off = fabs((double)events__period_ns(99, cpu) / asked_ns - 1);

		EXPECT(off >= 0.0099 && off <= 0.0201);
		for (other = 0; other < cpu; other++)
			EXPECT(events__period_ns(99, cpu) != events__period_ns(99, other));
	}
}

/* Half of the CPUs are fast and half are slow: all together deliver the rate asked for. */
static void test_mean(void)
{
	double rate_hz = 0;
	unsigned int cpu;

	for (cpu = 0; cpu < NR_CPUS; cpu++)
		rate_hz += 1e9 / (double)events__period_ns(4999, cpu);
	EXPECT_NEAR(rate_hz / NR_CPUS, 4999, 4999 * 0.001);
}

int main(void)
{
	static const struct test tests[] = {
		{"every CPU has a period of its own", test_spread},
		{"the mean rate is the one asked for", test_mean},
		{0},
	};

	return run_tests("events", tests);
}
