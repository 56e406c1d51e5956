// SPDX-License-Identifier: GPL-2.0-only
/*
 * crowd PROCESSES THREADS [MICROSECONDS]: starts PROCESSES processes of THREADS threads each, all
 * of them alive. Two threads at a time use a CPU for MICROSECONDS each, and hand over to the next
 * process. The threads of a process take turns in the order in which they began to wait.
 *
 * The program says "ready" when all threads wait. At SIGUSR1 it prints how many turns there were:
 * {"turns": 123456}
 */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define FRAME	     __attribute__((noipa, noinline))
#define KEEP_FRAME() __asm__ volatile("" ::"r"(__builtin_frame_address(0)) : "memory")

#define STACK_BYTES (32 << 10)
#define NR_AT_ONCE  2

/* The memory that all processes share. */
struct crowd {
	unsigned long nr_waiting, nr_turns;
	sem_t turns[]; /* one of each process */
};

static struct crowd *crowd;
static unsigned int nr_processes, nr_threads;
static uint64_t turn_ns;

static uint64_t used_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

static FRAME void take_turn(void)
{
	const uint64_t end_ns = used_ns() + turn_ns;

	while (used_ns() < end_ns)
		for (volatile int i = 0; i < 4000; i++)
			;
	KEEP_FRAME();
}

static void *take_turns(void *argument)
{
	const unsigned int number = *(const unsigned int *)argument;

	__atomic_fetch_add(&crowd->nr_waiting, 1, __ATOMIC_RELAXED);
	while (1) {
		while (sem_wait(&crowd->turns[number]))
			;
		take_turn();
		__atomic_fetch_add(&crowd->nr_turns, 1, __ATOMIC_RELAXED);
		sem_post(&crowd->turns[(number + 1) % nr_processes]);
	}
	return NULL;
}

static void be_one(unsigned int number)
{
	pthread_attr_t small;
	pthread_t thread;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (pthread_attr_init(&small) || pthread_attr_setstacksize(&small, STACK_BYTES))
		exit(1);
	for (unsigned int i = 1; i < nr_threads; i++)
		if (pthread_create(&thread, &small, take_turns, &number))
			exit(1);
	take_turns(&number);
}

static void fork_all(void)
{
	for (unsigned int i = 0; i < nr_processes; i++) {
		const pid_t child = fork();

		if (child < 0)
			exit(1);
		if (!child)
			be_one(i);
	}
	while (__atomic_load_n(&crowd->nr_waiting, __ATOMIC_RELAXED) <
	       (unsigned long)nr_processes * nr_threads)
		usleep(10000);
}

int main(int argc, char **argv)
{
	sigset_t signals;
	int number;

	nr_processes = argc > 1 ? (unsigned int)atoi(argv[1]) : 10;
	nr_threads = argc > 2 ? (unsigned int)atoi(argv[2]) : 10;
	turn_ns = (argc > 3 ? strtoull(argv[3], NULL, 10) : 1000) * 1000;
	if (!nr_processes || !nr_threads)
		return 2;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	crowd = mmap(NULL, sizeof(*crowd) + nr_processes * sizeof(sem_t), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (crowd == MAP_FAILED)
		return 1;
	for (unsigned int i = 0; i < nr_processes; i++)
		if (sem_init(&crowd->turns[i], 1, 0))
			return 1;
	fork_all();
	for (unsigned int i = 0; i < NR_AT_ONCE; i++)
		sem_post(&crowd->turns[i * nr_processes / NR_AT_ONCE]);
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	printf("ready\n");
	fflush(stdout);
	while (!sigwait(&signals, &number)) {
		printf("{\"turns\": %lu}\n", __atomic_load_n(&crowd->nr_turns, __ATOMIC_RELAXED));
		fflush(stdout);
		if (number == SIGTERM)
			return 0;
	}
	return 1;
}
