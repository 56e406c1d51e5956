// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/*
 * syscalls [SECONDS]: about half of the time in the kernel (reading /dev/zero, in read_zeros()),
 * half in user space (in compute()).
 */
#include <fcntl.h>

#include "workload.h"

static char buffer[1 << 18];

static FRAME void read_zeros(int fd, uint64_t ns)
{
	uint64_t start = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) - start < ns)
		raw_syscall(SYS_read, fd, (long)buffer, sizeof(buffer));
	KEEP_FRAME();
}

static FRAME void compute(uint64_t ns)
{
	spin(ns);
	KEEP_FRAME();
}

int main(int argc, char **argv)
{
	uint64_t deadline = workload_begin(argument(argc, argv, 1, WORKLOAD_MAX_SECONDS));
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 1;
	workload_ready();
	while (!past(deadline)) {
		read_zeros(fd, 7 * MS / 10);
		compute(7 * MS / 10);
	}
	return 0;
}
