// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O2
/*
 * libslowlock.so is preloaded, and delays each request for a lock that does not wait for it, by 20
 * ms. Until then a file may have changed since it was opened.
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
