/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests learn about processes here without asking the code under test. */
#ifndef TOPSTACKS_TESTS_PROCESSES_H
#define TOPSTACKS_TESTS_PROCESSES_H

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/* CLOCK_BOOTTIME of its birth, to the tick. The name in its stat has no parenthesis. */
static inline uint64_t process_start_ns(pid_t pid)
{
	unsigned long long ticks = 0;
	char path[32];
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	stat = fopen(path, "re");
	if (!stat || fscanf(stat,
			    "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d "
			    "%*d %*d %*d %*d %*d %llu",
			    &ticks) != 1)
		perror(path);
	if (stat)
		fclose(stat);
	return ticks * (1000000000ULL / (uint64_t)sysconf(_SC_CLK_TCK));
}

#endif
