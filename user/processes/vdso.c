// SPDX-License-Identifier: GPL-2.0-only
#include "processes/vdso.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "elf/object.h"
#include "processes/procfs.h"

struct image_range {
	uint64_t start, end;
};

static int find_end(void *context, const struct mapping *mapping, bool executable)
{
	struct image_range *range = context;

	(void)executable;
	if (mapping->start != range->start)
		return 0;
	range->end = mapping->end;
	return 1;
}

int vdso__read(const struct debug_query *query, struct object **object)
{
	struct image_range range = {.start = getauxval(AT_SYSINFO_EHDR)};
	int maps, code;

	(void)query;
	if (!range.start)
		return -ENOENT;
	maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	if (maps < 0)
		return -errno;
	code = maps__each(maps, find_end, &range);
	close(maps);
	if (code < 1)
		return code ? code : -ENOENT;
	return object__read_memory((const void *)(uintptr_t)range.start, range.end - range.start,
				   object);
}
