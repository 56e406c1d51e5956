// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls
/* preempted CPU [SECONDS]: two threads compute all the time, and both may run on this CPU alone. */
#include <pthread.h>
#include <sched.h>

#include "workload.h"

static uint64_t deadline;

static FRAME void hog(void)
{
	while (!past(deadline))
		spin(MS);
	KEEP_FRAME();
}

static void *run_hog(void *argument)
{
	hog();
	return argument;
}

int main(int argc, char **argv)
{
	pthread_t other;
	cpu_set_t cpu;

	CPU_ZERO(&cpu);
	CPU_SET((int)argument(argc, argv, 1, 0), &cpu);
	deadline = workload_begin(argument(argc, argv, 2, WORKLOAD_MAX_SECONDS));
	if (sched_setaffinity(0, sizeof(cpu), &cpu) || pthread_create(&other, NULL, run_hog, NULL))
		return 1;
	workload_ready();
	hog();
	pthread_join(other, NULL);
	return 0;
}
