// SPDX-License-Identifier: GPL-2.0-only
/*
 * victim loop|calls|switches DEPTH: counts the work that it gets done while others run beside it.
 * A unit of work, below DEPTH calls of descend, is
 *
 *   loop      20,000 additions
 *   calls     100 system calls that do nothing
 *   switches  a byte to another thread and one back, by pipes: on one CPU two context switches
 *
 * At SIGUSR1 and at the end the units so far are printed, and the time that they took. CPU time is
 * that of the process as the scheduler bills it, interrupts taken meanwhile included: {"units":
 * 12345, "wall_ns": 5000000000, "cpu_ns": 4999999999}
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FRAME	     __attribute__((noipa, noinline))
#define KEEP_FRAME() __asm__ volatile("" ::"r"(__builtin_frame_address(0)) : "memory")

#define MOST_SECONDS 600

static volatile sig_atomic_t stopped, asked;
static int there[2], back[2]; /* pipes */

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

static FRAME void add(void)
{
	for (volatile int i = 0; i < 20000; i++)
		;
}

static FRAME void call_kernel(void)
{
	for (int i = 0; i < 100; i++)
		syscall(SYS_getppid);
}

static FRAME void pass_byte(void)
{
	char byte = 0;

	if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
		exit(1);
}

static void *return_bytes(void *argument)
{
	char byte;

	while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
		;
	return argument;
}

static FRAME void descend(void (*work)(void), unsigned int more)
{
	if (more)
		descend(work, more - 1);
	else
		work();
	KEEP_FRAME();
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

static void print_work(uint64_t units, uint64_t start_ns)
{
	printf("{\"units\": %llu, \"wall_ns\": %llu, \"cpu_ns\": %llu}\n",
	       (unsigned long long)units,
	       (unsigned long long)(clock_ns(CLOCK_MONOTONIC) - start_ns),
	       (unsigned long long)clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*work)(void);
	} kinds[] = {{"loop", add}, {"calls", call_kernel}, {"switches", pass_byte}};
	struct sigaction stop = {.sa_handler = on_stop, .sa_flags = SA_RESTART};
	struct sigaction usr1 = {.sa_handler = on_usr1, .sa_flags = SA_RESTART};
	unsigned int depth = argc > 2 ? (unsigned int)atoi(argv[2]) : 0;
	uint64_t start = clock_ns(CLOCK_MONOTONIC), units = 0;
	void (*work)(void) = NULL;
	pthread_t thread;

	for (size_t i = 0; argc > 1 && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(argv[1], kinds[i].name))
			work = kinds[i].work;
	if (!work)
		return 2;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(MOST_SECONDS);
	sigaction(SIGTERM, &stop, NULL);
	sigaction(SIGUSR1, &usr1, NULL);
	if (work == pass_byte &&
	    (pipe(there) || pipe(back) || pthread_create(&thread, NULL, return_bytes, NULL)))
		return 1;
	printf("ready\n");
	fflush(stdout);
	while (!stopped) {
		descend(work, depth);
		units++;
		if (asked) {
			asked = 0;
			print_work(units, start);
		}
	}
	print_work(units, start);
	return 0;
}
