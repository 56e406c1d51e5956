// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/*
 * short_children MILLISECONDS [SECONDS]: forks children one after the other, each of which uses
 * MILLISECONDS of CPU in short_life() and exits; the parent only waits. Ends when all of them had
 * SECONDS of CPU time. Printed at the end, children and CPU time as the kernel accounts it to their
 * parent:
 *	{"children": 322, "children_ns": 1000234000, "self_ns": 23456000}
 */
#include <sys/resource.h>
#include <sys/wait.h>

#include "workload.h"

static FRAME void short_life(uint64_t ns)
{
	spin(ns);
	KEEP_FRAME();
}

static uint64_t usage_ns(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return ((uint64_t)usage.ru_utime.tv_sec + (uint64_t)usage.ru_stime.tv_sec) * 1000000000 +
	       ((uint64_t)usage.ru_utime.tv_usec + (uint64_t)usage.ru_stime.tv_usec) * 1000;
}

static uint64_t used_ns(void)
{
	return usage_ns(RUSAGE_CHILDREN) + usage_ns(RUSAGE_SELF);
}

int main(int argc, char **argv)
{
	uint64_t life_ns = (uint64_t)(argument(argc, argv, 1, 3) * MS);
	double seconds = argument(argc, argv, 2, WORKLOAD_MAX_SECONDS);
	unsigned int children = 0;

	workload_begin(seconds);
	workload_ready();
	while (!workload_stopped && used_ns() < seconds * 1e9) {
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (!pid) {
			die_with_parent();
			short_life(life_ns);
			_exit(0);
		}
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		children++;
	}
	printf("{\"children\": %u, \"children_ns\": %llu, \"self_ns\": %llu, \"switches\": %ld}\n",
	       children, (unsigned long long)usage_ns(RUSAGE_CHILDREN),
	       (unsigned long long)usage_ns(RUSAGE_SELF), nr_switches());
	return 0;
}
