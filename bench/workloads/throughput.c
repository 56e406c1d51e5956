// SPDX-License-Identifier: GPL-2.0-only
/*
 * throughput SECONDS: how much fixed work gets done, with and without a profiler watching.
 *
 * One unit of work is the same number of additions below a few frames, so that its stack is neither
 * empty nor costly. Printed at the end, CPU time being the process' own as the scheduler sees it,
 * interrupts taken meanwhile included: {"units": 12345, "wall_ns": 5000000000, "cpu_ns":
 * 4999999999}
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#define FRAME __attribute__((noipa, noinline))

static volatile sig_atomic_t stopped, asked;

static void on_stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static void on_usr1(int signal)
{
	(void)signal;
	asked = 1;
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

static FRAME void add(void)
{
	for (volatile int i = 0; i < 20000; i++)
		;
}

static FRAME void middle(void)
{
	add();
	__asm__ volatile("" ::: "memory");
}

static FRAME void unit(void)
{
	middle();
	__asm__ volatile("" ::: "memory");
}

static void print_work(uint64_t units, uint64_t wall_ns)
{
	printf("{\"units\": %llu, \"wall_ns\": %llu, \"cpu_ns\": %llu}\n",
	       (unsigned long long)units, (unsigned long long)wall_ns,
	       (unsigned long long)clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct sigaction stop = {.sa_handler = on_stop}, usr1 = {.sa_handler = on_usr1};
	double limit_ns = (argc > 1 ? strtod(argv[1], NULL) : 1) * 1e9;
	uint64_t start = clock_ns(CLOCK_MONOTONIC), wall_ns = 0, units = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigaction(SIGTERM, &stop, NULL);
	sigaction(SIGUSR1, &usr1, NULL);
	printf("ready\n");
	fflush(stdout);
	while (!stopped && wall_ns < limit_ns) {
		unit();
		units++;
		wall_ns = clock_ns(CLOCK_MONOTONIC) - start;
		if (asked) {
			asked = 0;
			print_work(units, wall_ns);
		}
	}
	print_work(units, wall_ns);
	return 0;
}
