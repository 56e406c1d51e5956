// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls
/*
 * mixed MILLISECONDS [PAIRS]: a constant number of threads switch a lot, from SIGUSR1 on for
 * MILLISECONDS. Two fight for a lock, eight sleep shortly, one yields, one computes, and the two of
 * each of PAIRS pairs wake each other all the time. Before and after, all of them wait. At the end
 * the program prints how many threads there are, main among them:
 *	{"threads": 15}
 */
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>

#include "gate.h"

#define MAX_THREADS 64
#define STACK_BYTES (256 << 10)

static uint64_t deadline;
static pthread_barrier_t begin;
static unsigned int arrived;
static pthread_mutex_t fought_for = PTHREAD_MUTEX_INITIALIZER;
static int balls[MAX_THREADS][2];

static FRAME void fight(long number)
{
	(void)number;
	while (!past(deadline)) {
		pthread_mutex_lock(&fought_for);
		spin(MS / 5);
		pthread_mutex_unlock(&fought_for);
		usleep(50);
	}
	KEEP_FRAME();
}

static FRAME void sleep_shortly(long number)
{
	while (!past(deadline))
		usleep(1000 + 100 * (unsigned int)number);
	KEEP_FRAME();
}

static FRAME void yield(long number)
{
	(void)number;
	while (!past(deadline)) {
		spin(MS / 50);
		sched_yield();
	}
	KEEP_FRAME();
}

static FRAME void compute(long number)
{
	(void)number;
	while (!past(deadline))
		spin(MS);
	KEEP_FRAME();
}

/*
 * Passes a ball to and fro in a pair. Even numbers begin; at the end a last ball lets the other one
 * go.
 */
static FRAME void play(long number)
{
	const int *pair = balls[number / 2];
	const int mine = pair[number % 2], others = pair[1 - number % 2];
	uint64_t ball = 1;

	if (number % 2)
		raw_syscall(SYS_read, mine, (long)&ball, sizeof(ball));
	while (!past(deadline)) {
		raw_syscall(SYS_write, others, (long)&ball, sizeof(ball));
		raw_syscall(SYS_read, mine, (long)&ball, sizeof(ball));
	}
	raw_syscall(SYS_write, others, (long)&ball, sizeof(ball));
	KEEP_FRAME();
}

struct role {
	void (*run)(long number);
	long number;
};

static void *run_role(void *argument)
{
	const struct role *role = argument;

	pthread_barrier_wait(&begin);
	role->run(role->number);
	__atomic_add_fetch(&arrived, 1, __ATOMIC_RELEASE);
	while (true) /* it is still there afterwards, to be looked at */
		pause();
	return NULL;
}

static unsigned int add_roles(struct role roles[], unsigned int have, void (*run)(long),
			      unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		roles[have + i] = (struct role){run, i};
	return have + nr;
}

int main(int argc, char **argv)
{
	const uint64_t ns = (uint64_t)(argument(argc, argv, 1, 1000) * MS);
	const unsigned int nr_pairs = (unsigned int)argument(argc, argv, 2, 1);
	static struct role roles[MAX_THREADS];
	pthread_t thread;
	pthread_attr_t small;
	unsigned int nr = 0;

	if (nr_pairs > 16)
		return 2;
	gate_close();
	for (unsigned int i = 0; i < nr_pairs; i++)
		if ((balls[i][0] = eventfd(0, 0)) < 0 || (balls[i][1] = eventfd(0, 0)) < 0)
			return 1;
	nr = add_roles(roles, nr, fight, 2);
	nr = add_roles(roles, nr, sleep_shortly, 8);
	nr = add_roles(roles, nr, yield, 1);
	nr = add_roles(roles, nr, compute, 1);
	nr = add_roles(roles, nr, play, 2 * nr_pairs);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK_BYTES);
	pthread_barrier_init(&begin, NULL, nr + 1);
	for (unsigned int i = 0; i < nr; i++)
		if (pthread_create(&thread, &small, run_role, &roles[i]))
			return 1;
	workload_ready();
	gate_rest();
	deadline = clock_ns(CLOCK_MONOTONIC) + ns;
	pthread_barrier_wait(&begin);
	while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < nr)
		usleep(1000);
	printf("{\"threads\": %u}\n", nr + 1);
	gate_done();
	return 0;
}
