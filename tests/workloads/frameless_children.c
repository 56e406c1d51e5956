// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O2 -fomit-frame-pointer -fno-optimize-sibling-calls
/*
 * frameless_children [SECONDS]: one child after the other, each of which computes for 20 ms and
 * ends, without frame pointers: main → in_child → spin.
 */
#include <sys/wait.h>

#include "workload.h"

static FRAME void in_child(void)
{
	spin(20 * MS);
	KEEP_FRAME();
}

int main(int argc, char **argv)
{
	uint64_t deadline = workload_begin(argument(argc, argv, 1, WORKLOAD_MAX_SECONDS));
	pid_t child;

	workload_ready();
	while (!past(deadline)) {
		child = fork();
		if (child < 0)
			return 1;
		if (!child) {
			in_child();
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	return 0;
}
