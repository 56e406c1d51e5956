// SPDX-License-Identifier: GPL-2.0-only
/* Returns a text file, for callers that must not wait for its file system. */
#include <unistd.h>

#include "readers/jobs.h"

int job__text(const struct reader_task *task)
{
	char buffer[16384];
	ssize_t nr_read;
	int code = 0;

	if (task->nr_files != 1)
		return -EINVAL;
	for (off_t at = 0; !code; at += nr_read) {
		nr_read = pread(task->files[0], buffer, sizeof(buffer), at);
		if (nr_read <= 0)
			return nr_read < 0 ? -errno : 0;
		code = reader__answer(task, buffer, (size_t)nr_read);
	}
	return code;
}
