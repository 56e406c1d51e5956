// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/*
 * phases SECONDS MS: calls first() for MS milliseconds by the clock, then second(), and so on. It
 * prints "ready", and then for each phase its function, when it began and when it ended, in ns
 * since 1970.
 */
#include "workload.h"

static uint64_t realtime_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/*
 * Defines a function that computes until end_ns, and returns the time at its end. Most of the time
 * is its own.
 */
#define PHASE(name)                                         \
	FRAME uint64_t name(uint64_t end_ns);               \
	FRAME uint64_t name(uint64_t end_ns)                \
	{                                                   \
		uint64_t now_ns;                            \
                                                            \
		do {                                        \
			for (volatile int i = 0; i < 2000;) \
				i = i + 1;                  \
			now_ns = realtime_ns();             \
		} while (now_ns < end_ns);                  \
		KEEP_FRAME();                               \
		return now_ns;                              \
	}

PHASE(first)
PHASE(second)

int main(int argc, char **argv)
{
	const uint64_t seconds = (uint64_t)argument(argc, argv, 1, 3);
	const uint64_t length_ns = (uint64_t)(argument(argc, argv, 2, 500) * 1e6);
	uint64_t begin_ns, end_ns, last_ns;

	workload_begin(WORKLOAD_MAX_SECONDS);
	printf("ready\n");
	fflush(stdout);
	begin_ns = realtime_ns();
	last_ns = begin_ns + seconds * 1000000000;
	for (int i = 0; begin_ns < last_ns && !workload_stopped; i++) {
		end_ns = (i % 2 ? second : first)(begin_ns + length_ns);
		printf("%s %llu %llu\n", i % 2 ? "second" : "first", (unsigned long long)begin_ns,
		       (unsigned long long)end_ns);
		begin_ns = end_ns;
	}
	return 0;
}
