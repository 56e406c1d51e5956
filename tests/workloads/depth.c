// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/*
 * depth FRAMES [SECONDS]: one stack of FRAMES calls of descend() below main, then bottom().
 */
#define WORKLOAD_CLOCK CLOCK_PROCESS_CPUTIME_ID
#include "workload.h"

static FRAME void bottom(uint64_t deadline)
{
	while (!past(deadline))
		spin(MS);
	KEEP_FRAME();
}

static FRAME void descend(unsigned int more, uint64_t deadline)
{
	if (more > 1)
		descend(more - 1, deadline);
	else
		bottom(deadline);
	KEEP_FRAME();
}

int main(int argc, char **argv)
{
	unsigned int frames = (unsigned int)argument(argc, argv, 1, 10);
	uint64_t deadline = workload_begin(argument(argc, argv, 2, WORKLOAD_MAX_SECONDS));

	workload_ready();
	descend(frames, deadline);
	return 0;
}
