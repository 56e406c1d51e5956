// SPDX-License-Identifier: GPL-2.0-only
/* Whose CPU time is ours. */
#include "run/usage.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "expect.h"

#define BURNED_NS 50000000ULL

static void burn(void)
{
	uint64_t end_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) + BURNED_NS;

	while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < end_ns)
		;
}

static void burn_in_child(void)
{
	pid_t pid = fork();

	if (!pid) {
		burn();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void test_own(void)
{
	struct usage start;
	struct cost cost = {0};

	usage__read(&start, NULL);
	burn();
	usage__cost(&start, NULL, &cost);
	EXPECT(cost.user_ns + cost.system_ns >= BURNED_NS / 2);
	EXPECT(cost.resident_bytes > 0 && cost.peak_bytes >= cost.resident_bytes);
}

/* Who reads debug information works for us: what is bounded is the sum. */
static void test_children(void)
{
	struct usage start, end;
	struct cost cost = {0};

	usage__read(&start, NULL);
	burn_in_child();
	usage__cost(&start, NULL, &cost);
	usage__read(&end, NULL);
	EXPECT(cost.user_ns + cost.system_ns >= BURNED_NS / 2);
	EXPECT(usage__cpu_ns(&end) - usage__cpu_ns(&start) >= BURNED_NS / 2);
}

int main(int argc, char **argv)
{
	static const struct test tests[] = {
		{"our own CPU time", test_own},
		{"that of our children", test_children},
		{0},
	};

	(void)argc;
	(void)argv;
	return run_tests("usage", tests);
}
