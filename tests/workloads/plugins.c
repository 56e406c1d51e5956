// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/*
 * plugins [SECONDS [leaderless]]: main → work → caller → library_outer → library_inner, two in
 * libwork.so beside the program. Loads it at SIGUSR1, when a profiler may already watch; until then
 * the time is spent in before_library(). Prints "loaded" then.
 *
 * leaderless: the main thread ends at the signal; a second one goes on a moment after that, from
 * work() on.
 */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>

#include "workload.h"

static FRAME void before_library(uint64_t deadline)
{
	while (!past(deadline) && !workload_signalled)
		spin(MS);
	KEEP_FRAME();
}

static FRAME void caller(void (*outer)(uint64_t ns), uint64_t deadline)
{
	while (!past(deadline))
		outer(MS);
	KEEP_FRAME();
}

static void *load_outer(void)
{
	char program[PATH_MAX], path[PATH_MAX + 16];
	ssize_t length = readlink("/proc/thread-self/exe", program, sizeof(program) - 1);
	void *library;

	if (length < 0)
		exit(1);
	program[length] = '\0';
	snprintf(path, sizeof(path), "%s/libwork.so", dirname(program));
	library = dlopen(path, RTLD_NOW);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	return dlsym(library, "library_outer");
}

static FRAME int work(uint64_t deadline)
{
	void (*outer)(uint64_t ns);

	*(void **)&outer = load_outer();
	if (!outer)
		return 1;
	printf("loaded\n");
	fflush(stdout);
	caller(outer, deadline);
	KEEP_FRAME();
	return 0;
}

/* "4711 (plugins) Z ..." */
static bool leader_has_ended(void)
{
	char text[256] = "", *state;
	FILE *file = fopen("/proc/self/stat", "re");

	if (!file)
		return false;
	if (!fgets(text, sizeof(text), file))
		text[0] = '\0';
	fclose(file);
	state = strrchr(text, ')');
	return state && state[1] == ' ' && state[2] == 'Z';
}

static void *outlive_leader(void *deadline)
{
	while (!leader_has_ended() && !past(*(uint64_t *)deadline))
		usleep(10000);
	usleep(500000); /* who watches hears of the end before */
	exit(work(*(uint64_t *)deadline));
}

int main(int argc, char **argv)
{
	static uint64_t deadline;
	pthread_t thread;

	deadline = workload_begin(argument(argc, argv, 1, WORKLOAD_MAX_SECONDS));
	if (argc > 2 && pthread_create(&thread, NULL, outlive_leader, &deadline))
		return 1;
	workload_ready();
	before_library(deadline);
	if (argc > 2)
		pthread_exit(NULL);
	return work(deadline);
}
