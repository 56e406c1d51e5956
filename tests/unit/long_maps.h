/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A child whose list of mappings is longer than that of others: four thousand lines in
 * /proc/PID/maps.
 */
#ifndef TOPSTACKS_TESTS_LONG_MAPS_H
#define TOPSTACKS_TESTS_LONG_MAPS_H

#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONG_MAPS_AT  0x300000000000ULL
#define NR_LONG_MAPS  4000
#define LONG_MAP_SIZE 8192 /* one page is code, the next one is not, so that none become one */

static inline pid_t start_long_maps(void)
{
	const size_t nr_bytes = (size_t)NR_LONG_MAPS * LONG_MAP_SIZE;
	char ready = 0, *all;
	int ends[2];
	pid_t pid;

	if (pipe(ends) || (pid = fork()) < 0)
		return -1;
	if (!pid) {
		all = mmap((void *)(uintptr_t)LONG_MAPS_AT, nr_bytes, PROT_READ | PROT_EXEC,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
		for (size_t i = 0; all != MAP_FAILED && i < NR_LONG_MAPS; i++)
			mprotect(all + i * LONG_MAP_SIZE + LONG_MAP_SIZE / 2, LONG_MAP_SIZE / 2,
				 PROT_READ);
		if (write(ends[1], &ready, 1) == 1)
			pause();
		_exit(1);
	}
	if (read(ends[0], &ready, 1) != 1)
		pid = -1;
	close(ends[0]);
	close(ends[1]);
	return pid;
}

static inline void stop_long_maps(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

#endif
