// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls
/*
 * births NUMBER MICROSECONDS MILLISECONDS: from SIGUSR1 on for MILLISECONDS, NUMBER parents, which
 * are threads, each bear one thread after the other. A child sleeps for MICROSECONDS in short_life.
 * At the end the program prints how long parents and children lived, all together. least_ns is by
 * their own clocks, from their first statement to their last one. most_ns is by the clocks of those
 * that bear them, from before they are made until they are joined:
 *	{"ended": 812, "least_ns": 2001234567, "most_ns": 2003456789}
 */
#include <pthread.h>

#include "gate.h"

#define MAX_PARENTS 64
#define STACK_BYTES (256 << 10)

struct life {
	void (*live)(void);
	uint64_t least_ns;
};

static uint64_t deadline, life_us;
static uint64_t nr_ended, least_ns, most_ns;
static pthread_attr_t small;

static void *run_life(void *argument)
{
	const uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	struct life *life = argument;

	life->live();
	life->least_ns = clock_ns(CLOCK_MONOTONIC) - begin_ns;
	return NULL;
}

/* Makes a thread, and takes the time before that. */
static void bear(pthread_t *thread, struct life *life, uint64_t *begin_ns)
{
	*begin_ns = clock_ns(CLOCK_MONOTONIC);
	if (pthread_create(thread, &small, run_life, life))
		exit(1);
}

static void join(pthread_t thread, const struct life *life, uint64_t begin_ns)
{
	pthread_join(thread, NULL);
	__atomic_add_fetch(&most_ns, clock_ns(CLOCK_MONOTONIC) - begin_ns, __ATOMIC_RELAXED);
	__atomic_add_fetch(&least_ns, life->least_ns, __ATOMIC_RELAXED);
	__atomic_add_fetch(&nr_ended, 1, __ATOMIC_RELAXED);
}

static FRAME void short_life(void)
{
	const struct timespec rest = {.tv_nsec = (long)life_us * 1000};

	raw_syscall(SYS_nanosleep, (long)&rest, 0, 0);
	KEEP_FRAME();
}

static FRAME void parent(void)
{
	struct life child = {short_life, 0};
	uint64_t begin_ns;
	pthread_t thread;

	while (!past(deadline)) {
		bear(&thread, &child, &begin_ns);
		join(thread, &child, begin_ns);
	}
	KEEP_FRAME();
}

int main(int argc, char **argv)
{
	const unsigned int nr = (unsigned int)argument(argc, argv, 1, 4);
	static struct life parents[MAX_PARENTS];
	pthread_t threads[MAX_PARENTS];
	uint64_t begin_ns[MAX_PARENTS], ns;

	life_us = (uint64_t)argument(argc, argv, 2, 1000);
	ns = (uint64_t)(argument(argc, argv, 3, 1000) * MS);
	if (nr > MAX_PARENTS || life_us >= 1000000)
		return 2;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK_BYTES);
	gate_close();
	workload_ready();
	gate_rest();
	deadline = clock_ns(CLOCK_MONOTONIC) + ns;
	for (unsigned int i = 0; i < nr; i++) {
		parents[i].live = parent;
		bear(&threads[i], &parents[i], &begin_ns[i]);
	}
	for (unsigned int i = 0; i < nr; i++)
		join(threads[i], &parents[i], begin_ns[i]);
	printf("{\"ended\": %llu, \"least_ns\": %llu, \"most_ns\": %llu}\n",
	       (unsigned long long)nr_ended, (unsigned long long)least_ns,
	       (unsigned long long)most_ns);
	gate_done();
	return 0;
}
