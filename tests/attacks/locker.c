// SPDX-License-Identifier: GPL-2.0-only
/*
 * locker FILE: keeps others from its memory. Reading FILE fails twice, and the third read is never
 * answered. So a thread waits for a page of it with the memory's lock held, as the kernel has tried
 * without. A second thread waits for that lock to change the memory, and every reader of the lock
 * waits behind it. A third one runs on. A child of the same memory is stuck in its exec. It holds
 * the lock that is needed to open its /proc/PID/maps. The program says "ready CHILD", and begins
 * all that on SIGUSR1.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define PAGE_BYTES  4096
#define STACK_BYTES 65536

static volatile sig_atomic_t begins;
static volatile char *page;
static volatile unsigned long turns;

static void begin(int signal_number)
{
	(void)signal_number;
	begins = 1;
}

static void wait_for(unsigned int ms)
{
	while (!begins)
		usleep(1000);
	usleep(1000 * ms);
}

static void *run_on(void *nothing)
{
	for (;;)
		turns++;
	return nothing;
}

static void *touch(void *nothing)
{
	wait_for(0);
	turns += (unsigned long)*page;
	return nothing;
}

static void *change(void *nothing)
{
	wait_for(500);
	mmap(NULL, PAGE_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return nothing;
}

static int exec_late(void *nothing)
{
	char *const words[] = {"true", NULL};

	(void)nothing;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	wait_for(1000);
	execv("/bin/true", words);
	return 1;
}

int main(int argc, char **argv)
{
	static char stack[STACK_BYTES];
	void *(*const works[])(void *) = {run_on, touch, change};
	pthread_t thread;
	int fd, child;

	if (argc != 2)
		errx(2, "usage: locker FILE");
	fd = open(argv[1], O_RDONLY);
	page = fd < 0 ? MAP_FAILED : mmap(NULL, PAGE_BYTES, PROT_READ, MAP_PRIVATE, fd, 0);
	if (page == MAP_FAILED)
		err(1, "%s", argv[1]);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* after a change of the user, which clears it */
	signal(SIGUSR1, begin);
	for (size_t i = 0; i < sizeof(works) / sizeof(works[0]); i++)
		if (pthread_create(&thread, NULL, works[i], NULL))
			errx(1, "no thread");
	child = clone(exec_late, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL);
	if (child < 0)
		err(1, "clone");
	printf("ready %d\n", child);
	fflush(stdout);
	for (;;)
		pause();
}
