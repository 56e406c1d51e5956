// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-builtin
// libs: -lpthread
/*
 * mallocs CALLS [busy]: waits for SIGUSR1, and calls each function of malloc's family CALLS times
 * in each of two threads. It prints how many blocks and bytes these were, by caller, and waits for
 * SIGTERM. With "busy" it calls malloc from the start on, without a pause, and prints nothing.
 * realloc of nothing and reallocarray are malloc and realloc in the C library, and yet one block.
 */
#include "workload.h"

#include <malloc.h>
#include <pthread.h>

/*
 * Defines a caller. The block goes through memory, so that no jump can take the place of the call,
 * and the compiler does not know that the block is freed.
 */
#define CALLER(name, call)                     \
	FRAME static void name(size_t size)    \
	{                                      \
		void *volatile block = (call); \
                                               \
		free(block);                   \
		KEEP_FRAME();                  \
	}

CALLER(by_malloc, malloc(size))
CALLER(by_calloc, calloc(4, size / 4))
CALLER(by_realloc, realloc(NULL, size))
CALLER(by_realloc_again, realloc(malloc(size / 2), size + size / 2))
CALLER(by_reallocarray, reallocarray(NULL, 8, size / 8))
CALLER(by_memalign, memalign(64, size))
CALLER(by_aligned_alloc, aligned_alloc(64, size))
CALLER(by_valloc, valloc(size))
CALLER(by_strdup, strdup(size ? "12345678901234567890123456789012" : ""))

FRAME static void by_posix_memalign(size_t size)
{
	void *block = NULL;

	if (!posix_memalign(&block, 64, size))
		free(block);
	KEEP_FRAME();
}

static const struct {
	const char *name;
	void (*call)(size_t size);
	size_t blocks, most; /* of a call; bytes, in terms of its size, or 33 */
} callers[] = {
	{"by_malloc", by_malloc, 1, 1},
	{"by_calloc", by_calloc, 1, 1},
	{"by_realloc", by_realloc, 1, 1},
	{"by_realloc_again", by_realloc_again, 2, 2},
	{"by_reallocarray", by_reallocarray, 1, 1},
	{"by_memalign", by_memalign, 1, 1},
	{"by_aligned_alloc", by_aligned_alloc, 1, 1},
	{"by_valloc", by_valloc, 1, 1},
	{"by_posix_memalign", by_posix_memalign, 1, 1},
	{"by_strdup", by_strdup, 1, 33},
};

#define NR_CALLERS (sizeof(callers) / sizeof(callers[0]))

static unsigned long nr_calls;

static size_t size_of(unsigned long call)
{
	return 64 + 64 * (call % 50);
}

static void *call_all(void *unused)
{
	for (unsigned long i = 0; i < nr_calls; i++)
		for (size_t n = 0; n < NR_CALLERS; n++)
			callers[n].call(size_of(i));
	return unused;
}

static void say(void)
{
	unsigned long bytes = 0;

	for (unsigned long i = 0; i < nr_calls; i++)
		bytes += 2 * size_of(i);
	printf("{\"pid\": %d", getpid());
	for (size_t n = 0; n < NR_CALLERS; n++)
		printf(", \"%s\": [%lu, %lu]", callers[n].name,
		       callers[n].most == 33 ? 66 * nr_calls : bytes * callers[n].most,
		       2 * nr_calls * callers[n].blocks);
	printf("}\ndone\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const uint64_t end_ns = workload_begin(WORKLOAD_MAX_SECONDS);
	pthread_t thread;

	nr_calls = (unsigned long)argument(argc, argv, 1, 100);
	workload_ready();
	while (argc > 2 && !past(end_ns))
		by_malloc(64);
	while (!workload_signalled && !workload_stopped)
		raw_pause();
	if (workload_stopped || pthread_create(&thread, NULL, call_all, NULL))
		return 0;
	call_all(NULL);
	pthread_join(thread, NULL);
	say();
	while (!workload_stopped)
		raw_pause();
	return 0;
}
