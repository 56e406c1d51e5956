// SPDX-License-Identifier: GPL-2.0-only
/* The symbols of a file and of what was stripped from it (elf/object.h). Arguments: most bytes. */
#include <errno.h>
#include <string.h>

#include "elf/object.h"
#include "readers/jobs.h"
#include "readers/offers.h"

int job__symbols(const struct reader_task *task)
{
	const struct debug_offers offers = reader__offers(task);
	uint64_t max_bytes;

	if (task->nr_files != 1 || task->nr_bytes != sizeof(max_bytes))
		return -EINVAL;
	memcpy(&max_bytes, task->arguments, sizeof(max_bytes));
	return object__read(task->files[0], &offers, task->answer, max_bytes);
}
