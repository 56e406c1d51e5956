// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/*
 * thread_storm NUMBER MILLISECONDS [SECONDS]: always NUMBER threads that compute; each lives for
 * MILLISECONDS and is followed by another. Printed at the end, with the CPU time of all of them:
 *	{"ended": 812, "process_ns": 6000123456}
 */
#include <pthread.h>

#include "workload.h"

#define MAX_THREADS 256

struct storm_worker {
	pthread_t thread;
	uint64_t end_ns;
	volatile bool done;
};

static FRAME void short_thread(struct storm_worker *worker)
{
	while (!past(worker->end_ns))
		spin(MS / 10);
	KEEP_FRAME();
}

static void *run_worker(void *argument)
{
	struct storm_worker *worker = argument;

	short_thread(worker);
	worker->done = true;
	return NULL;
}

static void start_worker(struct storm_worker *worker, uint64_t end_ns)
{
	worker->end_ns = end_ns;
	worker->done = false;
	if (pthread_create(&worker->thread, NULL, run_worker, worker))
		exit(1);
}

int main(int argc, char **argv)
{
	static struct storm_worker workers[MAX_THREADS];
	int nr = (int)argument(argc, argv, 1, 4);
	uint64_t life_ns = (uint64_t)(argument(argc, argv, 2, 1000) * MS);
	uint64_t deadline = workload_begin(argument(argc, argv, 3, WORKLOAD_MAX_SECONDS));
	uint64_t start = clock_ns(CLOCK_MONOTONIC);
	unsigned int ended = 0;

	if (nr < 1 || nr > MAX_THREADS)
		return 2;
	workload_ready();
	/* Their ends are spread over one life. */
	for (int i = 0; i < nr; i++)
		start_worker(&workers[i], start + life_ns * (uint64_t)(i + 1) / (uint64_t)nr);
	while (!past(deadline)) {
		usleep(500);
		for (int i = 0; i < nr; i++)
			if (workers[i].done) {
				pthread_join(workers[i].thread, NULL);
				ended++;
				start_worker(&workers[i], clock_ns(CLOCK_MONOTONIC) + life_ns);
			}
	}
	workload_stopped = 1;
	for (int i = 0; i < nr; i++)
		pthread_join(workers[i].thread, NULL);
	printf("{\"ended\": %u, \"process_ns\": %llu}\n", ended,
	       (unsigned long long)clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}
