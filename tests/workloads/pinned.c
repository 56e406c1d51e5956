// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls
/*
 * pinned MILLISECONDS [CPU CPU]: on each of two CPUs a thread sleeps shortly, in wait_on_0 on the
 * first one and in wait_on_1 on the other, and computes. This lasts from SIGUSR1 on for
 * MILLISECONDS. At the end the program prints:
 *	{"wait_on_0": {"switches": 512, "least_ns": 2001234567, "most_ns": 2003456789}}
 *
 * switches is how often the thread gave up its CPU, as the kernel counts. most_ns is by the clock,
 * from before the function is called until it has returned. least_ns is by the clock within it,
 * less the CPU time meanwhile, where it was not preempted.
 */
#include <pthread.h>
#include <sched.h>

#include "gate.h"

struct pinned_sleeper {
	pthread_t thread;
	int cpu;
	void (*wait)(struct pinned_sleeper *sleeper);
	uint64_t least_ns, most_ns;
	long switches;
};

static uint64_t deadline;

static inline __attribute__((always_inline)) void nap(struct pinned_sleeper *sleeper)
{
	const struct timespec rest = {.tv_nsec = MS};
	struct rusage begin, end;
	uint64_t ns, cpu_ns;

	raw_syscall(SYS_getrusage, RUSAGE_THREAD, (long)&begin, 0);
	cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	ns = clock_ns(CLOCK_MONOTONIC);
	raw_syscall(SYS_nanosleep, (long)&rest, 0, 0);
	ns = clock_ns(CLOCK_MONOTONIC) - ns;
	cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
	raw_syscall(SYS_getrusage, RUSAGE_THREAD, (long)&end, 0);
	if (end.ru_nivcsw == begin.ru_nivcsw && ns > cpu_ns)
		sleeper->least_ns += ns - cpu_ns;
	sleeper->switches += end.ru_nvcsw - begin.ru_nvcsw;
}

static FRAME void wait_on_0(struct pinned_sleeper *sleeper)
{
	nap(sleeper);
	KEEP_FRAME();
}

static FRAME void wait_on_1(struct pinned_sleeper *sleeper)
{
	nap(sleeper);
	KEEP_FRAME();
}

static void *run_sleeper(void *argument)
{
	struct pinned_sleeper *sleeper = argument;
	cpu_set_t cpu;

	CPU_ZERO(&cpu);
	CPU_SET(sleeper->cpu, &cpu);
	if (sched_setaffinity(0, sizeof(cpu), &cpu))
		exit(1);
	while (!past(deadline)) {
		const uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);

		sleeper->wait(sleeper);
		sleeper->most_ns += clock_ns(CLOCK_MONOTONIC) - begin_ns;
		spin(MS / 10);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	const uint64_t ns = (uint64_t)(argument(argc, argv, 1, 1000) * MS);
	struct pinned_sleeper sleepers[] = {
		{.cpu = (int)argument(argc, argv, 2, 0), .wait = wait_on_0},
		{.cpu = (int)argument(argc, argv, 3, 1), .wait = wait_on_1},
	};

	gate_close();
	workload_ready();
	gate_rest();
	deadline = clock_ns(CLOCK_MONOTONIC) + ns;
	for (int i = 0; i < 2; i++)
		if (pthread_create(&sleepers[i].thread, NULL, run_sleeper, &sleepers[i]))
			return 1;
	for (int i = 0; i < 2; i++) {
		pthread_join(sleepers[i].thread, NULL);
		printf("{\"wait_on_%d\": {\"switches\": %ld, \"least_ns\": %llu, \"most_ns\": "
		       "%llu}}\n",
		       i, sleepers[i].switches, (unsigned long long)sleepers[i].least_ns,
		       (unsigned long long)sleepers[i].most_ns);
	}
	gate_done();
	return 0;
}
