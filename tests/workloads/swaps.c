// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O2 -fomit-frame-pointer -fno-optimize-sibling-calls
/*
 * swaps [SECONDS]: main → swap_outer → swap_inner → called_back → spin, the two in the middle in
 * libswap_small.so and libswap_large.so by turns. Each is there for 2 ms, where the other one was.
 */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>

#include "workload.h"

typedef void (*outer_fn)(void (*callback)(uint64_t ns), uint64_t ns);

static FRAME void called_back(uint64_t ns)
{
	spin(ns);
	KEEP_FRAME();
}

static void *load(const char *directory, const char *name)
{
	char path[PATH_MAX + 32];
	void *library;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	library = dlopen(path, RTLD_NOW);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	return library;
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"libswap_small.so", "libswap_large.so"};
	uint64_t deadline = workload_begin(argument(argc, argv, 1, WORKLOAD_MAX_SECONDS));
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	const char *directory;
	outer_fn outer;
	void *library;

	if (length < 0)
		return 1;
	program[length] = '\0';
	directory = dirname(program);
	workload_ready();
	for (size_t turn = 0; !past(deadline); turn++) {
		library = load(directory, names[turn % 2]);
		*(void **)&outer = dlsym(library, "swap_outer");
		if (!outer)
			return 1;
		outer(called_back, 2 * MS);
		dlclose(library);
	}
	return 0;
}
