// SPDX-License-Identifier: GPL-2.0-only
/*
 * The wait for programs that count themselves ends as soon as all have left, and with the kernel's
 * own grace period where one never does. tests/e2e/grace.sh tests that no program is late.
 */
#include "expect.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "capture/host/cpus.h"
#include "capture/kernel/grace.h"

#define NR_CPUS 4

static struct grace grace;

static void open_grace(const struct cpus *cpus)
{
	const int map = memfd_create("passages", MFD_CLOEXEC);
	struct error err = {0};

	EXPECT_EQ(ftruncate(map, NR_CPUS * sizeof(struct passage)), 0);
	EXPECT_EQ(grace__open(&grace, map, NR_CPUS, cpus, &err), 0);
	close(map);
}

static void test_closed(void)
{
	static const bool wanted[] = {true, false, true};
	struct cpus cpus = {.wanted = wanted, .nr_wanted = 3};

	open_grace(&cpus);
	EXPECT_EQ(grace.rows[0].is_closed, 0);
	EXPECT_EQ(grace.rows[1].is_closed, 1);
	EXPECT_EQ(grace.rows[2].is_closed, 0);
	EXPECT_EQ(grace.rows[3].is_closed, 1);
	grace__close(&grace);
	EXPECT(grace.rows == NULL);
}

static void *leave(void *context)
{
	(void)context;
	usleep(1000);
	__atomic_fetch_add(&grace.rows[3].left[1], 1, __ATOMIC_SEQ_CST);
	return NULL;
}

static void test_wait(void)
{
	struct cpus cpus = {0};
	struct error err = {0};
	uint64_t start_ns;
	pthread_t thread;

	open_grace(&cpus);
	EXPECT_EQ(grace__wait(&grace, 0, &err), 0);
	grace.rows[0].entered[1] = 5;
	grace.rows[3].left[1] = 4;    /* a program that sleeps may go on elsewhere */
	grace.rows[1].entered[0] = 1; /* of the other generation */
	start_ns = monotonic_ns();
	EXPECT_EQ(pthread_create(&thread, NULL, leave, NULL), 0);
	EXPECT_EQ(grace__wait(&grace, 1, &err), 0);
	EXPECT(monotonic_ns() - start_ns >= 1000000);
	EXPECT_EQ(grace.rows[3].left[1], 5);
	pthread_join(thread, NULL);
	EXPECT_EQ(grace__wait(&grace, 0, &err),
		  0); /* it is still inside: the kernel's word is enough */
	grace__close(&grace);
	EXPECT_EQ(grace__wait(&grace, 0, &err), 0); /* nothing counts itself */
}

/*
 * The wait ends without the kernel's grace period, which comes after 10 ms: the shortest of many
 * waits tells on a busy machine, too.
 */
static void test_wait_is_short(void)
{
	struct cpus cpus = {0};
	struct error err = {0};
	uint64_t start_ns, shortest_ns = UINT64_MAX;

	open_grace(&cpus);
	grace.rows[0].entered[1] = 5;
	grace.rows[2].left[1] = 2;
	grace.rows[3].left[1] = 3;
	for (int i = 0; i < 100; i++) {
		start_ns = monotonic_ns();
		EXPECT_EQ(grace__wait(&grace, 1, &err), 0);
		if (monotonic_ns() - start_ns < shortest_ns)
			shortest_ns = monotonic_ns() - start_ns;
	}
	EXPECT(shortest_ns < 10000000);
	grace__close(&grace);
}

int main(void)
{
	static const struct test tests[] = {
		{"CPUs that are not wanted", test_closed},
		{"until as many have left as went in", test_wait},
		{"no longer than that", test_wait_is_short},
		{0},
	};

	return run_tests("grace", tests);
}
