// SPDX-License-Identifier: GPL-2.0-only
/* The symbols of a file and of its debug file (elf/object.h). Arguments: struct object_request. */

#include "elf/object.h"
#include "readers/jobs.h"
#include "readers/readers.h"

int job__symbols(const struct reader_task *task)
{
	const struct debug_candidates offers = reader__debug_candidates(task);
	struct object_request request;

	if (task->nr_files != 1 || task->nr_bytes != sizeof(request))
		return -EINVAL;
	memcpy(&request, task->arguments, sizeof(request));
	return object__read(task->files[0], &offers, task->answer, &request);
}
