// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer
/* sleeper [SECONDS]: sleeps, and never uses the CPU. */
#include "workload.h"

int main(int argc, char **argv)
{
	double seconds = argument(argc, argv, 1, WORKLOAD_MAX_SECONDS);
	struct timespec rest = {.tv_sec = (time_t)seconds};

	workload_begin(seconds);
	workload_ready();
	while (!workload_stopped && nanosleep(&rest, &rest) && errno == EINTR)
		;
	return 0;
}
