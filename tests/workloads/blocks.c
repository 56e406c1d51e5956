// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-builtin
/*
 * blocks [time]: allocates and frees with all functions there are for it, in four threads, in a
 * handler of a signal, in ten children, and where they share memory with it. It prints sums of the
 * blocks' contents, which are the same each time, with any allocator. With "time" it prints instead
 * how many ns a pair of malloc and free takes.
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NR_BLOCKS 100
#define NR_STEPS  50000
#define NR_PAIRS  10000000

/* Puts a block of up to 3000 bytes that begins with its size in place of another one or NULL. */
static void *replace(void *block, unsigned int chance)
{
	const unsigned int size = chance % 2990 + sizeof(size);

	if (chance >> 24 != 0 && (chance >> 16) % 5 != 0) {
		free(block);
		block = NULL;
	}
	switch ((chance >> 16) % 5) {
	case 0:
		block = realloc(block, size);
		break;
	case 1:
		block = calloc(1, size);
		break;
	case 2:
		if (posix_memalign(&block, 64, size))
			block = NULL;
		break;
	case 3:
		block = memalign(128, size);
		break;
	default:
		block = malloc(size);
	}
	memset(block, (int)size, size);
	return memcpy(block, &size, sizeof(size));
}

/* Returns the size of the block, which must be as it was left. */
static unsigned int look_at(const unsigned char *block)
{
	unsigned int size = 0;

	if (block)
		memcpy(&size, block, sizeof(size));
	for (unsigned int i = sizeof(size); i < size; i++)
		if (block[i] != (unsigned char)size)
			abort();
	return size;
}

static void *churn(void *seed)
{
	unsigned int state = (unsigned int)(uintptr_t)seed;
	void *blocks[NR_BLOCKS] = {0};
	uint64_t sum = 0;

	for (int i = 0; i < NR_STEPS; i++) {
		void **block = &blocks[(state = state * 1664525 + 1013904223) >> 8 & 63];

		sum += look_at(*block);
		*block = replace(*block, state | 1U << 24);
	}
	for (int i = 0; i < NR_BLOCKS; i++)
		free(blocks[i]);
	return (void *)(uintptr_t)sum;
}

static void on_signal(int number)
{
	free(malloc((size_t)number));
}

static uint64_t churn_in_threads(void)
{
	pthread_t threads[4];
	uint64_t sum = 0;
	void *result;

	for (uintptr_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, churn, (void *)(i + 1));
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], &result);
		sum += (uintptr_t)result;
	}
	return sum;
}

static int churn_in_children(void)
{
	int nr_fine = 0, status;

	for (uintptr_t i = 0; i < 10; i++) {
		if (!fork())
			_exit(churn((void *)(i + 1)) ? 3 : 4);
		wait(&status);
		nr_fine += WIFEXITED(status) && WEXITSTATUS(status) == 3;
	}
	return nr_fine;
}

static int execute(void)
{
	int status = -1;

	if (!vfork())
		execl("/bin/true", "true", NULL);
	wait(&status);
	return status;
}

static void print_time(void)
{
	static void *volatile block;
	struct timespec begin, end;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	for (int i = 0; i < NR_PAIRS; i++) {
		block = malloc(100);
		free(block);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	printf("%.2f\n",
	       ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) /
		       NR_PAIRS);
}

int main(int argc, char **argv)
{
	const volatile size_t too_much = SIZE_MAX / 2;

	(void)argv;
	if (argc > 1) {
		print_time();
		return 0;
	}
	signal(SIGUSR1, on_signal);
	for (int i = 0; i < 1000; i++) {
		raise(SIGUSR1);
		free(malloc(1000));
	}
	printf("sum %llu\n", (unsigned long long)churn_in_threads());
	printf("children %d, executed %d\n", churn_in_children(), execute());
	errno = 0;
	printf("too much: %d %d %d\n", !malloc(too_much), !calloc(too_much, 4), errno == ENOMEM);
	return 7;
}
