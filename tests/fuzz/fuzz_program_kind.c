// SPDX-License-Identifier: GPL-2.0-only
/* Programs of strangers, at a glance: the same one is the same again, and names are within it. */
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "require.h"
#include "run/preload/program_kind.h"

struct seen_names {
	const uint8_t *data;
	size_t size, nr_names;
};

static void on_name(void *context, const char *name)
{
	struct seen_names *seen = context;

	seen->nr_names++;
	require(!*name || memmem(seen->data, seen->size, name, strlen(name)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen_names seen = {data, size, 0};
	const int fd = memfd_create("program", MFD_CLOEXEC);
	struct program_kind glance;

	require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	glance = program_kind__at(fd);
	require(glance.is_elf || !glance.is_native);
	require(glance.is_native || !glance.is_dynamic);
	if (program_kind__exports(fd, "malloc"))
		require(glance.is_native && program_kind__exports(fd, "malloc"));
	program_kind__visit_libraries(fd, on_name, &seen);
	require(seen.nr_names <= 256);
	require(glance.is_native || !seen.nr_names);
	close(fd);
	return 0;
}
