// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/*
 * shares [SECONDS]: four functions that use about 10, 20, 30 and 40 % of SECONDS of CPU time.
 *
 * The truth is the thread's own CPU clock around each call. Order and length of the slices are
 * random, so that they are in step with no sampling rate. Printed at the end and at SIGUSR1:
 *	{"functions_ns": {"share_10": 30012345, ...}, "process_ns": 300456789}
 */
#define WORKLOAD_CLOCK CLOCK_PROCESS_CPUTIME_ID
#include "workload.h"

#define NR_SHARES 4

static uint64_t spent_ns[NR_SHARES];

#define SHARE(index, name)                   \
	FRAME void name(uint64_t ns);        \
	FRAME void name(uint64_t ns)         \
	{                                    \
		spent_ns[index] += spin(ns); \
		KEEP_FRAME();                \
	}

SHARE(0, share_10)
SHARE(1, share_20)
SHARE(2, share_30)
SHARE(3, share_40)

static const struct {
	const char *name;
	void (*run)(uint64_t ns);
	uint64_t mean_ns;
} shares[NR_SHARES] = {
	{"share_10", share_10, 1 * MS / 4},
	{"share_20", share_20, 2 * MS / 4},
	{"share_30", share_30, 3 * MS / 4},
	{"share_40", share_40, 4 * MS / 4},
};

static void print_truth(void)
{
	printf("{\"functions_ns\": {");
	for (int i = 0; i < NR_SHARES; i++)
		printf("%s\"%s\": %llu", i ? ", " : "", shares[i].name,
		       (unsigned long long)spent_ns[i]);
	printf("}, \"process_ns\": %llu, \"switches\": %ld}\n",
	       (unsigned long long)clock_ns(CLOCK_PROCESS_CPUTIME_ID), nr_switches());
	fflush(stdout);
}

/* A frame between main and the shares: while one is being entered, its caller is missed. */
static FRAME void spend_shares(uint64_t deadline)
{
	uint32_t random = 2463534242u;

	while (!past(deadline)) {
		uint32_t i = (next_random(&random) >> 8) % NR_SHARES;
		uint64_t mean = shares[i].mean_ns;

		shares[i].run(random_near(mean, &random));
		if (workload_signalled) {
			workload_signalled = 0;
			print_truth();
		}
	}
	KEEP_FRAME();
}

int main(int argc, char **argv)
{
	uint64_t deadline = workload_begin(argument(argc, argv, 1, WORKLOAD_MAX_SECONDS));

	workload_ready();
	spend_shares(deadline);
	print_truth();
	return 0;
}
