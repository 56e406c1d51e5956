// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that cannot fail: under a limit the reserve is given back once and the flag is raised, and
 * when that is used up, too, the process ends with exit code 4. Each test asks a child, which has
 * the limit to itself.
 */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/common.h"
#include "expect.h"

#define PIECE_BYTES  (64UL << 10)
#define LIMIT_BYTES  (64UL << 20)
#define NOT_AS_ASKED 99

/* Runs in a child that may map some 64 MiB. Returns the child's exit code. */
static int under_limit(int (*run)(void))
{
	const struct rlimit limit = {LIMIT_BYTES, LIMIT_BYTES};
	const pid_t child = fork();
	int status;

	if (!child) {
		close(STDERR_FILENO);
		_exit(setrlimit(RLIMIT_DATA, &limit) || !memory__set_aside() ? NOT_AS_ASKED
									     : run());
	}
	EXPECT(child > 0 && waitpid(child, &status, 0) == child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : NOT_AS_ASKED;
}

/* The pointer keeps allocations alive: the compiler must not leave them out. */
static void *volatile last;

static int take_until_short(void)
{
	size_t before = 0;

	for (; memory__recover(); before += PIECE_BYTES)
		last = xmalloc(PIECE_BYTES);
	/* Seven eighths, but for what the child had before. */
	return before <= LIMIT_BYTES / 8 * 7 && before > LIMIT_BYTES / 2 ? 0 : NOT_AS_ASKED;
}

static int take_all(void)
{
	for (;;)
		last = xmalloc(PIECE_BYTES);
	return 0;
}

struct shedding {
	void *pieces[3];
	unsigned int nr;
};

static bool shed(void *context)
{
	struct shedding *shedding = context;

	if (!shedding->nr)
		return false;
	free(shedding->pieces[--shedding->nr]);
	return true;
}

/* Three pieces of an eighth each can be done without: they last for as much before the end. */
static int shed_and_go_on(void)
{
	struct shedding shedding = {.nr = 3};
	size_t before = 0;

	for (unsigned int i = 0; i < shedding.nr; i++)
		shedding.pieces[i] = xmalloc(LIMIT_BYTES / 8);
	memory__shed_by(shed, &shedding);
	for (; memory__recover(); before += PIECE_BYTES)
		last = xmalloc(PIECE_BYTES);
	return !shedding.nr && before > LIMIT_BYTES / 2 ? 0 : NOT_AS_ASKED;
}

/* As before, but shedding makes room for the allocation itself: the flag is not asked. */
static int shed_within(void)
{
	struct shedding shedding = {.nr = 3};

	for (unsigned int i = 0; i < shedding.nr; i++)
		shedding.pieces[i] = xmalloc(LIMIT_BYTES / 8);
	memory__shed_by(shed, &shedding);
	for (size_t taken = 0; taken < LIMIT_BYTES / 4 * 3; taken += PIECE_BYTES)
		last = xmalloc(PIECE_BYTES);
	return 0;
}

static int end_as_worker(void)
{
	memory__end_quietly(NOT_AS_ASKED - 1);
	return take_all();
}

static int ask_too_much(void)
{
	volatile size_t too_many = SIZE_MAX / 4; /* the compiler would warn of a constant */
	uint64_t *numbers = NULL;
	size_t capacity = 0;

	array__reserve(&numbers, &capacity, too_many);
	return 0;
}

/* Doubling would need more than there is, but a sixteenth more fits. */
static int grow_large_array(void)
{
	const size_t nr = LIMIT_BYTES / 16 * 7 / sizeof(uint64_t);
	uint64_t *numbers = NULL;
	size_t capacity = 0;

	array__reserve(&numbers, &capacity, nr);
	array__reserve(&numbers, &capacity, nr + 1);
	return numbers && capacity > nr && capacity < 2 * nr ? 0 : NOT_AS_ASKED;
}

static void test_reserve(void)
{
	EXPECT_EQ(under_limit(take_until_short), 0);
	EXPECT_EQ(under_limit(shed_and_go_on), 0);
	EXPECT_EQ(under_limit(shed_within), 0);
}

static void test_end(void)
{
	EXPECT_EQ(under_limit(take_all), EXIT_INTERNAL);
	EXPECT_EQ(under_limit(ask_too_much), EXIT_INTERNAL);
	EXPECT_EQ(under_limit(end_as_worker), NOT_AS_ASKED - 1);
}

static void test_large_array(void)
{
	EXPECT_EQ(under_limit(grow_large_array), 0);
}

int main(void)
{
	static const struct test tests[] __attribute__((unused)) = {
		{"the reserve makes room once, and again after shedding", test_reserve},
		{"without the reserve the process ends", test_end},
		{"a large array grows by little when memory is short", test_large_array},
		{0},
	};

#ifdef __SANITIZE_ADDRESS__
	return 0; /* the shadow of a sanitizer counts for the limit, and is above any */
#else
	return run_tests("memory", tests);
#endif
}
