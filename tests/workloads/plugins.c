// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/*
 * plugins [SECONDS]: main → caller → library_outer → library_inner, the last two in libwork.so
 * beside the program. Loads it at SIGUSR1, when a profiler may already watch; until then the time
 * is spent in before_library(). Prints "loaded" then.
 */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>

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
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
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

int main(int argc, char **argv)
{
	uint64_t deadline = workload_begin(argument(argc, argv, 1, WORKLOAD_MAX_SECONDS));
	void (*outer)(uint64_t ns);

	workload_ready();
	before_library(deadline);
	*(void **)&outer = load_outer();
	if (!outer)
		return 1;
	printf("loaded\n");
	fflush(stdout);
	caller(outer, deadline);
	return 0;
}
