// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/* spent MS MS: first() for so many ms of CPU time, then second() for as many as the other says. */
#include "workload.h"

static uint64_t spent_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Nearly all of the time is its own. */
#define SPEND(name)                                           \
	FRAME void name(uint64_t ns);                         \
	FRAME void name(uint64_t ns)                          \
	{                                                     \
		const uint64_t end_ns = spent_ns() + ns;      \
                                                              \
		while (spent_ns() < end_ns)                   \
			for (volatile int i = 0; i < 100000;) \
				i = i + 1;                    \
		KEEP_FRAME();                                 \
	}

SPEND(first)
SPEND(second)

int main(int argc, char **argv)
{
	workload_begin(WORKLOAD_MAX_SECONDS);
	first((uint64_t)(argument(argc, argv, 1, 1000) * 1e6));
	second((uint64_t)(argument(argc, argv, 2, 1000) * 1e6));
	return 0;
}
