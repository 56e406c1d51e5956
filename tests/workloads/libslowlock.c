// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O2
/*
 * libslowlock.so, to be preloaded: who asks for a lock without waiting for it, asks 20 ms later. What was true when
 * a file was opened may not be true any more.
 */
#include <sys/file.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int flock(int fd, int operation)
{
	const struct timespec late = {.tv_nsec = 20 * 1000 * 1000};

	if (operation & LOCK_NB)
		nanosleep(&late, NULL);
	return (int)syscall(SYS_flock, fd, operation);
}
