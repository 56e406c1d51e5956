// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls
/*
 * lengths MILLISECONDS [THREADS]: each thread tosses a coin again and again. Then it waits once for
 * 2 ms, in wait_long, or twenty times for a twentieth of that, in wait_short. This lasts from
 * SIGUSR1 on for MILLISECONDS. At the end the program prints, of all threads together:
 *	{"wait_short": {"least_ns": 2001234567, "most_ns": 2003456789}}
 *	{"wait_long": ...}
 *
 * most_ns is by the clock, from before the function is called until it has returned. least_ns is by
 * the clock within it, less the CPU time meanwhile.
 */
#include <pthread.h>

#include "gate.h"

#define LONG_NS	 (2 * MS)
#define SHORT_NS (LONG_NS / 20)

#define MAX_THREADS 32

struct waited {
	uint64_t least_ns, most_ns;
};

struct length_sleeper {
	pthread_t thread;
	uint32_t random;
	struct waited in_short, in_long;
};

static uint64_t deadline;

static inline __attribute__((always_inline)) void nap(uint64_t ns, struct waited *waited)
{
	const struct timespec rest = {.tv_nsec = (long)ns};
	const uint64_t begin_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	const uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	uint64_t ns_in_it, cpu_ns;

	raw_syscall(SYS_nanosleep, (long)&rest, 0, 0);
	ns_in_it = clock_ns(CLOCK_MONOTONIC) - begin_ns;
	cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin_cpu_ns;
	waited->least_ns += ns_in_it > cpu_ns ? ns_in_it - cpu_ns : 0;
}

static FRAME void wait_short(struct length_sleeper *sleeper)
{
	for (unsigned int i = 0; i < LONG_NS / SHORT_NS; i++)
		nap(SHORT_NS, &sleeper->in_short);
	KEEP_FRAME();
}

static FRAME void wait_long(struct length_sleeper *sleeper)
{
	nap(LONG_NS, &sleeper->in_long);
	KEEP_FRAME();
}

static void *run_sleeper(void *argument)
{
	struct length_sleeper *sleeper = argument;

	while (!past(deadline)) {
		const bool is_short = next_random(&sleeper->random) & 256;
		const uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);

		if (is_short)
			wait_short(sleeper);
		else
			wait_long(sleeper);
		(is_short ? &sleeper->in_short : &sleeper->in_long)->most_ns +=
			clock_ns(CLOCK_MONOTONIC) - begin_ns;
	}
	return NULL;
}

static void add_waited(struct waited *sum, const struct waited *more)
{
	sum->least_ns += more->least_ns;
	sum->most_ns += more->most_ns;
}

static void print_waited(const char *function, const struct waited *waited)
{
	printf("{\"%s\": {\"least_ns\": %llu, \"most_ns\": %llu}}\n", function,
	       (unsigned long long)waited->least_ns, (unsigned long long)waited->most_ns);
}

int main(int argc, char **argv)
{
	const uint64_t ns = (uint64_t)(argument(argc, argv, 1, 1000) * MS);
	const unsigned int nr = (unsigned int)argument(argc, argv, 2, 8);
	static struct length_sleeper sleepers[MAX_THREADS];
	struct waited in_short = {0}, in_long = {0};

	if (nr > MAX_THREADS)
		return 2;
	gate_close();
	prctl(PR_SET_TIMERSLACK, 1000);
	workload_ready();
	gate_rest();
	deadline = clock_ns(CLOCK_MONOTONIC) + ns;
	for (unsigned int i = 0; i < nr; i++) {
		sleepers[i].random = 1000 + i;
		if (pthread_create(&sleepers[i].thread, NULL, run_sleeper, &sleepers[i]))
			return 1;
	}
	for (unsigned int i = 0; i < nr; i++) {
		pthread_join(sleepers[i].thread, NULL);
		add_waited(&in_short, &sleepers[i].in_short);
		add_waited(&in_long, &sleepers[i].in_long);
	}
	print_waited("wait_short", &in_short);
	print_waited("wait_long", &in_long);
	gate_done();
	return 0;
}
