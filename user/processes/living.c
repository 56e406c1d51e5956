// SPDX-License-Identifier: GPL-2.0-only
/* A directory of /proc stays with its process: once its birth is right, so is all that is read
 * there. */
#include "processes/living.h"

#include <errno.h>
#include <unistd.h>

#include "processes/mappings.h"
#include "processes/procfs.h"
#include "processes/roots.h"

/* *start_ticks is 0: any birth will do. -ESRCH: it is gone, or another one. */
static int open_process(int32_t pid, uint64_t *start_ticks)
{
	int process = procfs__open(pid);
	uint64_t ticks = 0;
	int code = process < 0 ? process : procfs__start_ticks(process, &ticks);

	if (!code && *start_ticks && !procfs__same_start(ticks, *start_ticks))
		code = -ESRCH;
	if (code) {
		if (process >= 0)
			close(process);
		return code;
	}
	*start_ticks = ticks;
	return process;
}

struct reading {
	struct modules *modules;
	struct mappings *mappings;
};

static int read_mapping(void *context, const struct mapping *mapping)
{
	struct reading *reading = context;

	return mappings__map(&reading->mappings, reading->modules, mapping, 0);
}

static int read_mappings(struct reading *reading, int process)
{
	size_t nr_areas;
	int code = procfs__each_mapping(process, read_mapping, reading);

	if (code)
		return code;
	mappings__areas(reading->mappings, &nr_areas);
	return nr_areas ? 0 : -ENOENT;
}

int living__mappings(struct modules *modules, int32_t pid, uint64_t *start_ticks,
		     struct mappings **mappings)
{
	struct reading reading = {modules, mappings__new()};
	int process, code;

	if (!reading.mappings)
		return -ENOMEM;
	process = open_process(pid, start_ticks);
	code = process < 0 ? process : read_mappings(&reading, process);
	if (process >= 0)
		close(process);
	if (code)
		mappings__free(reading.mappings);
	else
		*mappings = reading.mappings;
	return code;
}

int living__root(struct roots *roots, int32_t pid, uint64_t start_ticks, struct root **root)
{
	int process = open_process(pid, &start_ticks);

	if (process < 0)
		return process;
	*root = roots__take(roots, process);
	close(process);
	return 0;
}
