// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/*
 * periodic HERTZ PERCENT [SECONDS]: in each of HERTZ periods a second the first PERCENT are spent
 * in busy_on(), the rest in busy_off(). A sampler in step with it would see one of them only.
 * Printed at the end, with the CPU time of each:
 *	{"functions_ns": {"busy_on": 300123456, "busy_off": 700456789}}
 */
#include "workload.h"

static FRAME uint64_t busy_on(uint64_t until_ns)
{
	uint64_t start = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	while (!past(until_ns))
		for (volatile int i = 0; i < 500; i++)
			;
	return clock_ns(CLOCK_THREAD_CPUTIME_ID) - start;
}

static FRAME uint64_t busy_off(uint64_t until_ns)
{
	uint64_t start = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	while (!past(until_ns))
		for (volatile int i = 0; i < 500; i++)
			;
	return clock_ns(CLOCK_THREAD_CPUTIME_ID) - start;
}

int main(int argc, char **argv)
{
	double rate_hz = argument(argc, argv, 1, 99);
	double percent = argument(argc, argv, 2, 30);
	uint64_t deadline = workload_begin(argument(argc, argv, 3, WORKLOAD_MAX_SECONDS));
	uint64_t start = clock_ns(CLOCK_MONOTONIC), on_ns = 0, off_ns = 0;

	if (rate_hz < 1 || percent > 100)
		return 2;
	workload_ready();
	while (!past(deadline)) {
		/* Grid points, so that what is late does not shift what follows. */
		double period_ns = 1e9 / rate_hz;
		uint64_t nth = (uint64_t)((double)(clock_ns(CLOCK_MONOTONIC) - start) / period_ns);
		double begin_ns = (double)start + (double)nth * period_ns;

		on_ns += busy_on((uint64_t)(begin_ns + period_ns * percent / 100));
		off_ns += busy_off((uint64_t)(begin_ns + period_ns));
	}
	printf("{\"functions_ns\": {\"busy_on\": %llu, \"busy_off\": %llu}}\n",
	       (unsigned long long)on_ns, (unsigned long long)off_ns);
	return 0;
}
