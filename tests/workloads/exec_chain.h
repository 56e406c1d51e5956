/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * NAME [SECONDS]: the programs exec_a and exec_b, which exec each other every few milliseconds.
 *
 * Both are this file, compiled to the same addresses (not position independent) with other names:
 * an address means a_inner in one and b_inner in the other, under the same pid.
 */
#include <libgen.h>
#include <limits.h>

#include "workload.h"

#define JOIN2(a, b) a##b
#define JOIN(a, b)  JOIN2(a, b)
#define NAMED(name) JOIN(PREFIX, name)

static FRAME void NAMED(inner)(void)
{
	spin(5 * MS);
	KEEP_FRAME();
}

static FRAME void NAMED(outer)(void)
{
	NAMED(inner)();
	KEEP_FRAME();
}

/* argv[1]: the seconds at first, then the deadline as CLOCK_MONOTONIC ns. */
static uint64_t find_deadline(int argc, char **argv)
{
	double value = argument(argc, argv, 1, WORKLOAD_MAX_SECONDS);
	uint64_t deadline;

	if (value > WORKLOAD_MAX_SECONDS) {
		die_with_parent();
		return (uint64_t)value;
	}
	deadline = workload_begin(value);
	workload_ready();
	return deadline;
}

static void exec_other(uint64_t deadline)
{
	char program[PATH_MAX], path[PATH_MAX + 16], end[32];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	if (length < 0)
		return;
	program[length] = '\0';
	snprintf(path, sizeof(path), "%s/%s", dirname(program), OTHER);
	snprintf(end, sizeof(end), "%llu", (unsigned long long)deadline);
	execl(path, OTHER, end, (char *)NULL);
}

int main(int argc, char **argv)
{
	uint64_t deadline = find_deadline(argc, argv);

	NAMED(outer)();
	if (past(deadline))
		return 0;
	exec_other(deadline);
	return 1;
}
