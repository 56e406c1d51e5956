// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer
/*
 * names NR [SECONDS]: NR threads and the main one compute until all of them together had SECONDS of
 * CPU time. They have their process's name while they compute a little. Then the main one is "main,
 * renamed", one gets a hostile name, and the others are "worker 2" and so on. At the end the
 * program prints, by thread id:
 *	{"names": {"4711": "main, renamed", "4712": "hostile", "4713": "worker 2", ...}}
 */
#include <pthread.h>
#include <sys/prctl.h>

#define WORKLOAD_CLOCK CLOCK_PROCESS_CPUTIME_ID
#include "workload.h"

#define MAX_THREADS 1000

struct named_thread {
	pthread_t thread;
	pid_t tid;
	int nr;
	uint64_t deadline;
	char name[16];
};

static FRAME void before_naming(void)
{
	spin(2 * MS);
	KEEP_FRAME();
}

static FRAME void after_naming(const struct named_thread *named)
{
	while (!past(named->deadline))
		spin(MS);
	KEEP_FRAME();
}

static void *run_named(void *argument)
{
	struct named_thread *named = argument;

	named->tid = gettid();
	before_naming();
	prctl(PR_SET_NAME, named->name);
	after_naming(named);
	return NULL;
}

int main(int argc, char **argv)
{
	static struct named_thread threads[MAX_THREADS + 1] = {{.name = "main, renamed"}};
	int nr = (int)argument(argc, argv, 1, 4);
	uint64_t deadline = workload_begin(argument(argc, argv, 2, WORKLOAD_MAX_SECONDS));

	if (nr > MAX_THREADS)
		return 2;
	threads[0].deadline = deadline;
	for (int i = 1; i <= nr; i++) {
		threads[i].deadline = deadline;
		snprintf(threads[i].name, sizeof(threads[i].name),
			 i == 1 ? "\033]0;evil\a (1)" : "worker %d", i);
		if (pthread_create(&threads[i].thread, NULL, run_named, &threads[i]))
			return 1;
	}
	run_named(&threads[0]);
	for (int i = 1; i <= nr; i++)
		pthread_join(threads[i].thread, NULL);
	printf("{\"names\": {");
	for (int i = 0; i <= nr; i++)
		printf("%s\"%d\": \"%s\"", i ? ", " : "", (int)threads[i].tid,
		       i == 1 ? "hostile" : threads[i].name);
	printf("}}\n");
	return 0;
}
