// SPDX-License-Identifier: GPL-2.0-only
/* The unwind table of the one file that it is given, as an image (unwind_table__write). */
#include "readers/jobs.h"

#include <errno.h>

#include "unwind/unwind.h"

int job__unwind(const struct reader_task *task)
{
	struct unwind_table *table;
	int code;

	if (task->nr_files != 1)
		return -EINVAL;
	code = unwind_table__build(task->files[0], &table);
	if (code)
		return code;
	code = unwind_table__write(table, task->answer);
	unwind_table__free(table);
	return code;
}
