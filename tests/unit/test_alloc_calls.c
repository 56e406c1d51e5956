// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program calls the functions that allocate, and the test checks the calls of the probes. The
 * test is linked with all the rest of the preloaded library, and has functions of its own in place
 * of the probes. All blocks are samples here.
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../preload/early.h"
#include "../../preload/probes.h"
#include "expect.h"

/* The probes of this thread count their calls and keep the arguments of the last ones. */
struct probe_calls {
	int nr_allocs, nr_frees;
	void *block, *freed;
	uint64_t size, weight;
	uint64_t bytes;		 /* by the exact account */
	uint64_t number, newest; /* of the block; and of the newest that may be the freed one */
};
static _Thread_local struct probe_calls told;
static int nr_begins;

/* Compilers know these functions, and would leave out calls without a consequence. */
static void *(*volatile call_malloc)(size_t) = malloc;
static void *(*volatile call_calloc)(size_t, size_t) = calloc;
static void *(*volatile call_realloc)(void *, size_t) = realloc;
static void *(*volatile call_reallocarray)(void *, size_t, size_t) = reallocarray;
static void (*volatile call_free)(void *) = free;

void topstacks_ends(uint64_t since)
{
	(void)since;
}

void topstacks_begins(void)
{
	nr_begins++;
}

void topstacks_alloc_fired(void *block, uint64_t size, uint64_t weight, uint64_t since,
			   uint64_t number)
{
	told.nr_allocs++;
	told.block = block;
	told.size = size;
	told.weight = weight;
	told.bytes += since;
	told.number = number;
}

void topstacks_free_fired(void *block, uint64_t nr_told)
{
	told.nr_frees++;
	told.freed = block;
	told.newest = nr_told;
}

static void expect_told(int nr_allocs, int nr_frees)
{
	const struct probe_calls seen = told; /* expecting may allocate */

	EXPECT_EQ(seen.nr_allocs, nr_allocs);
	EXPECT_EQ(seen.nr_frees, nr_frees);
	told = (struct probe_calls){0};
}

/* The one block has this size, and is then freed. */
static void expect_block(void *block, uint64_t size)
{
	const struct probe_calls seen = told;

	EXPECT_EQ(seen.nr_allocs, 1);
	EXPECT(block && seen.block == block);
	EXPECT_EQ((long long)seen.size, (long long)size);
	EXPECT_EQ((long long)seen.weight, (long long)size);
	EXPECT_EQ((long long)seen.bytes, (long long)size);
	told = (struct probe_calls){0};
	call_free(block);
	EXPECT(told.freed == block);
	expect_told(0, 1);
}

static void test_blocks(void)
{
	void *block;

	told = (struct probe_calls){0};
	expect_block(call_malloc(1), 1);
	expect_block(call_malloc(4096), 4096);
	expect_block(call_calloc(10, 30), 300);
	expect_block(call_realloc(NULL, 50), 50);
	expect_block(call_reallocarray(NULL, 5, 7), 35);
	expect_block(memalign(64, 100), 100);
	expect_block(aligned_alloc(64, 128), 128);
	expect_block(valloc(200), 200);
	expect_block(pvalloc(201), 201);
	EXPECT_EQ(posix_memalign(&block, 256, 77), 0);
	EXPECT_EQ((long long)((uintptr_t)block % 256), 0);
	expect_block(block, 77);
}

static void test_realloc(void)
{
	char *block = call_malloc(10), *moved;

	memcpy(block, "contents", 9);
	told = (struct probe_calls){0};
	moved = call_realloc(block, 100000);
	EXPECT(told.freed == block && told.block == moved);
	EXPECT_EQ((long long)told.size, 100000);
	EXPECT(told.newest < told.number);
	expect_told(1, 1);
	EXPECT_STR(moved, "contents");
	told = (struct probe_calls){0};
	EXPECT(!call_realloc(moved, 0)); /* glibc's: it is freed */
	expect_told(0, 1);
}

/* A block that cannot be had is not told to the probes, and errno says why it failed. */
static void test_failures(void)
{
	void *block = &block;

	told = (struct probe_calls){0};
	for (size_t size = SIZE_MAX; size > SIZE_MAX / 4; size -= SIZE_MAX / 8) {
		errno = 0;
		EXPECT(!call_malloc(size));
		EXPECT_EQ(errno, ENOMEM);
		EXPECT(!call_calloc(size, 3));
		EXPECT(!memalign(64, size));
	}
	EXPECT_EQ(posix_memalign(&block, 3, 10), EINVAL);
	EXPECT(block == &block);
	expect_told(0, 0);
	errno = 0;
	EXPECT(!call_reallocarray(NULL, SIZE_MAX / 2, 3));
	EXPECT_EQ(errno, ENOMEM);
	/* The account goes on as if none of the failed calls had been. */
	expect_block(call_malloc(5), 5);
}

/* A block that cannot grow stays, and is told as freed once it is. */
static void test_failed_realloc(void)
{
	char *block = call_malloc(10);

	memcpy(block, "contents", 9);
	told = (struct probe_calls){0};
	for (int i = 0; i < 3; i++) {
		errno = 0;
		EXPECT(!call_realloc(block, SIZE_MAX / 4));
		EXPECT_EQ(errno, ENOMEM);
		EXPECT(!call_reallocarray(block, SIZE_MAX / 4, 8));
	}
	EXPECT_STR(block, "contents");
	expect_told(0, 0);
	call_free(block);
	EXPECT(told.freed == block);
	expect_told(0, 1);
}

static void test_nothing(void)
{
	void *empty;

	told = (struct probe_calls){0};
	call_free(NULL);
	empty = call_malloc(0);
	EXPECT(empty);
	call_free(empty);
	call_free(call_calloc(0, 8));
	expect_told(0, 0);
}

static void test_errno(void)
{
	void *block;

	errno = 4711;
	block = call_malloc(100);
	call_free(block);
	EXPECT_EQ(errno, 4711);
}

/* A block from before the real functions were found is never given to them. */
static void test_early(void)
{
	char *early = early__allocate(20), *moved;
	size_t size;

	EXPECT(early__has(early, &size));
	EXPECT_EQ((long long)size, 20);
	EXPECT_EQ((long long)((uintptr_t)early % 16), 0);
	memcpy(early, "so early", 9);
	told = (struct probe_calls){0};
	call_free(early);
	moved = call_realloc(early, 1000);
	EXPECT_STR(moved, "so early");
	EXPECT(!early__has(moved, &size));
	expect_block(moved, 1000);
	EXPECT(!early__allocate(SIZE_MAX));
	while (early__allocate(1000))
		;
	EXPECT(!early__allocate(1000));
}

#define NR_BLOCKS 20000

/* The next thread frees these blocks: each thread's bytes are those that it allocated, exactly. */
static void *allocate_many(void *blocks)
{
	uint64_t bytes = 0;
	void **at = blocks;

	for (size_t i = 0; i < NR_BLOCKS; i++) {
		call_free(at[i]);
		at[i] = call_malloc(i % 700 + 1);
		bytes += i % 700 + 1;
	}
	return (void *)(uintptr_t)(told.bytes == bytes && told.nr_allocs == NR_BLOCKS
					   ? told.nr_frees + 1
					   : 0);
}

static void test_threads(void)
{
	static void *blocks[NR_BLOCKS];
	pthread_t thread;
	void *result;

	for (int i = 0; i < 3; i++) {
		pthread_create(&thread, NULL, allocate_many, blocks);
		pthread_join(thread, &result);
		EXPECT_EQ((long long)(uintptr_t)result, (i ? NR_BLOCKS : 0) + 1);
	}
	for (int i = 0; i < NR_BLOCKS; i++)
		call_free(blocks[i]);
}

static volatile int nr_signals;

static void on_signal(int number)
{
	(void)number;
	nr_signals++;
	call_free(call_malloc(100));
}

/*
 * A handler may allocate where the allocator's own functions are not interrupted, and the block
 * after that is told as ever.
 */
static void test_signals(void)
{
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	signal(SIGUSR1, SIG_DFL);
	EXPECT_EQ(nr_signals, 1);
	told = (struct probe_calls){0};
	expect_block(call_malloc(9), 9);
}

static void test_begins(void)
{
	int status;

	EXPECT_EQ(nr_begins, 1);
	if (!fork()) {
		call_free(call_malloc(100));
		_exit(nr_begins);
	}
	wait(&status);
	EXPECT_EQ(WEXITSTATUS(status), 1);
}

/*
 * Returns how many blocks of a hundredth of the mean it takes until there is a sample; up to 250.
 */
static int first_sample(void)
{
	int nr_blocks = 0;

	told = (struct probe_calls){0};
	for (; !told.nr_allocs && nr_blocks < 250; nr_blocks++)
		call_free(call_malloc(1000));
	return nr_blocks;
}

static int count_distinct(const int *values, int nr_values)
{
	int nr_distinct = 0;

	for (int i = 0; i < nr_values; i++) {
		int j = 0;

		while (values[j] != values[i])
			j++;
		nr_distinct += i == j;
	}
	return nr_distinct;
}

/*
 * One of 100,000 bytes is hit here. Returns 0 if children differ: 40 of them have 20 answers of
 * some 200.
 */
static int look_at_children(void)
{
	int answers[40];

	first_sample();
	for (int i = 0; i < 40; i++) {
		if (!fork())
			_exit(first_sample());
		wait(&answers[i]);
		answers[i] = WEXITSTATUS(answers[i]);
	}
	return count_distinct(answers, 40) >= 20 ? 0 : 1;
}

static void test_children(void)
{
	int status = -1;

	if (!fork()) {
		setenv("TOPSTACKS_ALLOC_EVERY", "100000", 1);
		execl("/proc/self/exe", "test_alloc_calls", "children", NULL);
		_exit(2);
	}
	wait(&status);
	EXPECT_EQ(status, 0);
}

int main(int argc, char **argv)
{
	static const struct test tests[] = {
		{"each function that gives a block", test_blocks},
		{"blocks that grow", test_realloc},
		{"what cannot be had", test_failures},
		{"nor grow", test_failed_realloc},
		{"nothing", test_nothing},
		{"errno", test_errno},
		{"early blocks", test_early},
		{"threads", test_threads},
		{"handlers of signals", test_signals},
		{"it begins once", test_begins},
		{"children have samples of their own", test_children},
		{0},
	};

	if (argc > 1)
		return look_at_children();
	if (!getenv("TOPSTACKS_ALLOC_EVERY")) { /* is read before there is a main() */
		setenv("TOPSTACKS_ALLOC_EVERY", "1", 1);
		execv("/proc/self/exe", argv);
		return 1;
	}
	return run_tests("alloc_calls", tests);
}
