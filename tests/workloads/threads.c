// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/*
 * threads NOW [LATER [SECONDS]]: NOW threads compute from the start, and LATER ones begin at
 * SIGUSR1; the main thread sleeps. They end when all of them together had SECONDS of CPU time. At
 * the end the program prints, by thread id:
 *	{"threads": {"4711": 1000123456, ...}}	(ns of CPU)
 */
#include <pthread.h>

#define WORKLOAD_CLOCK CLOCK_PROCESS_CPUTIME_ID
#include "workload.h"

#define MAX_THREADS 256

struct busy_thread {
	pthread_t thread;
	pid_t tid;
	uint64_t used_ns;
	uint64_t deadline;
};

static FRAME void thread_work(struct busy_thread *worker)
{
	while (!past(worker->deadline))
		worker->used_ns += spin(MS);
	KEEP_FRAME();
}

static void *run_worker(void *argument)
{
	struct busy_thread *worker = argument;

	worker->tid = gettid();
	thread_work(worker);
	return NULL;
}

static void start_workers(struct busy_thread *workers, int nr, uint64_t deadline)
{
	for (int i = 0; i < nr; i++) {
		workers[i].deadline = deadline;
		if (pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]))
			exit(1);
	}
}

static void sleep_until_signalled(uint64_t deadline)
{
	while (!workload_signalled && !past(deadline))
		usleep(10000);
}

int main(int argc, char **argv)
{
	static struct busy_thread workers[MAX_THREADS];
	int now = (int)argument(argc, argv, 1, 4), later = (int)argument(argc, argv, 2, 0);
	uint64_t deadline = workload_begin(argument(argc, argv, 3, WORKLOAD_MAX_SECONDS));
	int nr = now;

	if (now + later > MAX_THREADS)
		return 2;
	start_workers(workers, now, deadline);
	workload_ready();
	if (later) {
		sleep_until_signalled(deadline);
		start_workers(workers + now, later, deadline);
		nr += later;
	}
	for (int i = 0; i < nr; i++)
		pthread_join(workers[i].thread, NULL);
	printf("{\"threads\": {");
	for (int i = 0; i < nr; i++)
		printf("%s\"%d\": %llu", i ? ", " : "", (int)workers[i].tid,
		       (unsigned long long)workers[i].used_ns);
	printf("}, \"switches\": %ld}\n", nr_switches());
	return 0;
}
