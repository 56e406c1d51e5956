// SPDX-License-Identifier: GPL-2.0-only
/*
 * switches THREADS SWITCHES_A_SECOND DEPTH: pairs of threads wake each other, all of them together
 * SWITCHES_A_SECOND times, or with 0 as often as they can. Each waits below DEPTH calls of descend.
 *
 * At SIGUSR1 the program prints how often its threads gave up a CPU or lost it so far, and the CPU
 * time that the kernel has billed them for. The work of others at their switches is included:
 * {"switches": 123456, "cpu_ns": 2000123456}
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define FRAME	     __attribute__((noipa, noinline))
#define KEEP_FRAME() __asm__ volatile("" ::"r"(__builtin_frame_address(0)) : "memory")

#define STACK_BYTES (64 << 10)

/* In a turn a pair rests once, and passes the ball to and fro so often. */
#define PASSES_OF_FEW  1
#define PASSES_OF_MANY 20
#define MANY_A_SECOND  100 /* switches of a pair */

struct players {
	int balls[2];
};

static unsigned int depth;
static unsigned int nr_passes;
static uint64_t rest_ns; /* 0: there is none */

static void pass_ball(int ball)
{
	const uint64_t one = 1;

	if (write(ball, &one, sizeof(one)) < 0)
		exit(1);
}

static FRAME void await_ball(int ball)
{
	uint64_t number;

	if (read(ball, &number, sizeof(number)) < 0)
		exit(1);
	KEEP_FRAME();
}

static FRAME void descend(int ball, unsigned int more)
{
	if (more)
		descend(ball, more - 1);
	else
		await_ball(ball);
	KEEP_FRAME();
}

static void *begin_turns(void *argument)
{
	const struct players *pair = argument;
	const struct timespec rest = {.tv_sec = (time_t)(rest_ns / 1000000000),
				      .tv_nsec = (long)(rest_ns % 1000000000)};

	while (1) {
		for (unsigned int i = 0; i < nr_passes; i++) {
			pass_ball(pair->balls[1]);
			descend(pair->balls[0], depth);
		}
		if (rest_ns)
			nanosleep(&rest, NULL);
	}
	return NULL;
}

static void *answer(void *argument)
{
	const struct players *pair = argument;

	while (1) {
		descend(pair->balls[1], depth);
		pass_ball(pair->balls[0]);
	}
	return NULL;
}

static void start(void *(*run)(void *), struct players *pair)
{
	pthread_attr_t small;
	pthread_t thread;

	if (pthread_attr_init(&small) || pthread_attr_setstacksize(&small, STACK_BYTES) ||
	    pthread_create(&thread, &small, run, pair))
		exit(1);
}

static void choose_pace(double a_second, unsigned int nr_pairs)
{
	const double of_a_pair = a_second / nr_pairs;

	nr_passes = of_a_pair < MANY_A_SECOND ? PASSES_OF_FEW : PASSES_OF_MANY;
	if (a_second > 0)
		rest_ns = (uint64_t)((2 * nr_passes + 1) / of_a_pair * 1e9);
}

static void print_truth(void)
{
	struct rusage usage;
	struct timespec used;

	getrusage(RUSAGE_SELF, &usage);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	printf("{\"switches\": %ld, \"cpu_ns\": %lld}\n", usage.ru_nvcsw + usage.ru_nivcsw,
	       (long long)used.tv_sec * 1000000000 + used.tv_nsec);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const unsigned int nr_pairs = argc > 1 ? (unsigned int)atoi(argv[1]) / 2 : 1;
	struct players *pairs = calloc(nr_pairs, sizeof(*pairs));
	sigset_t signals;
	int number;

	if (!pairs || !nr_pairs)
		return 2;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	choose_pace(argc > 2 ? atof(argv[2]) : 0, nr_pairs);
	depth = argc > 3 ? (unsigned int)atoi(argv[3]) : 8;
	for (unsigned int i = 0; i < nr_pairs; i++) {
		pairs[i].balls[0] = eventfd(0, EFD_CLOEXEC);
		pairs[i].balls[1] = eventfd(0, EFD_CLOEXEC);
		if (pairs[i].balls[0] < 0 || pairs[i].balls[1] < 0)
			return 1;
		start(answer, &pairs[i]);
		start(begin_turns, &pairs[i]);
	}
	printf("ready\n");
	fflush(stdout);
	while (!sigwait(&signals, &number) && number == SIGUSR1)
		print_truth();
	print_truth();
	return 0;
}
