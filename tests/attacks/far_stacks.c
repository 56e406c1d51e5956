// SPDX-License-Identifier: GPL-2.0-only
/*
 * far_stacks FILE THREADS: its threads wait with stacks in a file that has never been read, so that
 * a look at them from outside makes the kernel read it. Half of the threads wait for ever, the
 * others for a millisecond again and again. The stack pointer and the frame pointer of all have the
 * same value. The program says "ready ADDRESS" with that value.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE_BYTES 4096

static const struct timespec shortly = {.tv_nsec = 1000000};

/* The kernel uses no stack of the program for a system call. */
static void *wait_far_away(void *stack, long number, const void *argument)
{
#ifdef __x86_64__
	__asm__ volatile("mov %0, %%rsp\n\t"
			 "mov %0, %%rbp\n"
			 "1:\tmov %1, %%rax\n\t"
			 "mov %2, %%rdi\n\t"
			 "xor %%esi, %%esi\n\t"
			 "syscall\n\t"
			 "jmp 1b"
			 :
			 : "r"(stack), "b"(number), "r"(argument)
			 : "rax", "rcx", "rdi", "rsi", "r11", "memory");
#elif defined(__aarch64__)
	register long call __asm__("x8") = number;

	__asm__ volatile("mov sp, %0\n\t"
			 "mov x29, %0\n"
			 "1:\tmov x0, %2\n\t"
			 "mov x1, #0\n\t"
			 "svc #0\n\t"
			 "b 1b"
			 :
			 : "r"(stack), "r"(call), "r"(argument)
			 : "x0", "x1", "memory");
#endif
	return stack;
}

static void *wait_for_ever(void *stack)
{
	static const struct timespec for_ever = {.tv_sec = 100000};

	return wait_far_away(stack, SYS_nanosleep, &for_ever);
}

static void *wait_shortly(void *stack)
{
	return wait_far_away(stack, SYS_nanosleep, &shortly);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	char *pages;
	int fd;

	if (argc != 3)
		errx(2, "usage: far_stacks FILE THREADS");
	fd = open(argv[1], O_RDONLY);
	pages = fd < 0 ? MAP_FAILED
		       : mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (pages == MAP_FAILED)
		err(1, "%s", argv[1]);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* after a change of the user, which clears it */
	for (int i = 0; i < atoi(argv[2]); i++)
		if (pthread_create(&thread, NULL, i % 2 ? wait_shortly : wait_for_ever,
				   pages + PAGE_BYTES / 2))
			errx(1, "no thread");
	printf("ready %lu\n", (unsigned long)pages + PAGE_BYTES / 2);
	fflush(stdout);
	for (;;)
		pause();
}
