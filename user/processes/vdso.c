// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel tells where the vDSO begins, and maps where it ends. Names and unwind tables are both
 * made of this image.
 */
#include "processes/vdso.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "processes/maps.h"

struct vdso_range {
	uint64_t start, end;
};

static int find_end(void *context, const struct mapping *mapping, bool executable)
{
	struct vdso_range *range = context;

	(void)executable;
	if (mapping->start != range->start)
		return 0;
	range->end = mapping->end;
	return 1;
}

int vdso__image(const void **image, size_t *nr_bytes)
{
	struct vdso_range range = {.start = getauxval(AT_SYSINFO_EHDR)};
	const int maps = range.start ? open("/proc/self/maps", O_RDONLY | O_CLOEXEC) : -1;

	if (maps >= 0) {
		maps__each(maps, find_end, &range);
		close(maps);
	}
	if (!range.end)
		return -ENOENT;
	*image = (const void *)(uintptr_t)range.start;
	*nr_bytes = range.end - range.start;
	return 0;
}
