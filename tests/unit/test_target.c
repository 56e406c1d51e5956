// SPDX-License-Identifier: GPL-2.0-only
/* A run's targets and its way of sampling, before the first sample. */
#include "run/target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "expect.h"
#include "run/limits.h"

static void test_target(void)
{
	const pid_t own = getpid(), several[] = {own, 0x40000000, 0x40000001, own, own, own};
	char *command[] = {"make", "-j2", "a\033[2Jb", NULL};
	char one[64], many[256], thread[64];
	const struct {
		struct target target;
		enum capture_scope scope;
		const char *words;
	} rows[] = {
		{{0}, SCOPE_SYSTEM, "all processes"},
		{{.pids = several, .nr_pids = 1}, SCOPE_PROCESSES, one},
		{{.pids = several, .nr_pids = 6}, SCOPE_PROCESSES, many},
		{{.tid = own}, SCOPE_THREAD, thread},
		{{.names.comms = {&command[0], 2}, .names.users = {&command[0], 1}},
		 SCOPE_NAMED,
		 "processes called make or -j2 of user make"},
		{{.command = command, .names.containers = {&command[0], 1}},
		 SCOPE_COMMAND,
		 "make -j2 a\\x1b[2Jb in container make"},
		{{.command = command}, SCOPE_COMMAND, "make -j2 a\\x1b[2Jb"},
	};

	prctl(PR_SET_NAME, "targeted");
	snprintf(one, sizeof(one), "targeted (pid %d)", own);
	snprintf(thread, sizeof(thread), "targeted (thread %d)", own);
	snprintf(many, sizeof(many), "%s, (pid 1073741824), (pid 1073741825), %s and 2 more", one,
		 one);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *words = target__describe(&rows[i].target);

		EXPECT_EQ(target__scope(&rows[i].target), rows[i].scope);
		EXPECT_STR(words, rows[i].words);
		free(words);
	}
}

/* The kernel throttles beyond its limit, and some way below it: docs/ledger.md. */
static void test_rates(void)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_max_sample_rate", "re");
	struct error err = {0};
	double limit_hz = 0;

	if (!file || fscanf(file, "%lf", &limit_hz) != 1)
		perror("perf_event_max_sample_rate");
	if (file)
		fclose(file);
	EXPECT_EQ(limits__check_rate(NULL, limit_hz / 2, &err), 0);
	EXPECT_EQ(limits__check_rate(NULL, 2 * limit_hz, &err), -EINVAL);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT(strstr(err.text, "kernel.perf_event_max_sample_rate="));
}

int main(void)
{
	static const struct test tests[] = {
		{"targets in words", test_target},
		{"rates that would be throttled", test_rates},
		{0},
	};

	return run_tests("target", tests);
}
