// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O2 -fomit-frame-pointer -fno-optimize-sibling-calls
/*
 * frameless [SECONDS]: no frame pointers anywhere. main → before_library → qsort → compare →
 * descend (16 deep) → spin, and beside it a thread: in_thread → descend → spin. At SIGUSR1 it loads
 * libframeless.so, prints "loaded", and main calls frameless_outer → frameless_inner → spin from
 * then on.
 */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>

#define WORKLOAD_CLOCK CLOCK_PROCESS_CPUTIME_ID
#include "workload.h"

#define DEPTH 16

static FRAME uint64_t descend(int depth)
{
	uint64_t used = depth ? descend(depth - 1) : spin(MS);

	KEEP_FRAME();
	return used;
}

static FRAME int compare(const void *left, const void *right)
{
	descend(DEPTH);
	KEEP_FRAME();
	return *(const int *)left - *(const int *)right;
}

static FRAME void before_library(uint64_t deadline)
{
	int pair[2] = {1, 2};

	while (!past(deadline) && !workload_signalled)
		qsort(pair, 2, sizeof(pair[0]), compare);
	KEEP_FRAME();
}

static FRAME void *in_thread(void *deadline)
{
	while (!past(*(uint64_t *)deadline))
		descend(DEPTH);
	KEEP_FRAME();
	return NULL;
}

static void *load_outer(void)
{
	char program[PATH_MAX], path[PATH_MAX + 32];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	void *library;

	if (length < 0)
		exit(1);
	program[length] = '\0';
	snprintf(path, sizeof(path), "%s/libframeless.so", dirname(program));
	library = dlopen(path, RTLD_NOW);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	return dlsym(library, "frameless_outer");
}

int main(int argc, char **argv)
{
	uint64_t deadline = workload_begin(argument(argc, argv, 1, WORKLOAD_MAX_SECONDS));
	void (*outer)(uint64_t ns);
	pthread_t thread;

	if (pthread_create(&thread, NULL, in_thread, &deadline))
		return 1;
	workload_ready();
	before_library(deadline);
	if (!past(deadline)) {
		*(void **)&outer = load_outer();
		printf("loaded\n");
		fflush(stdout);
		while (outer && !past(deadline))
			outer(MS);
	}
	return pthread_join(thread, NULL);
}
