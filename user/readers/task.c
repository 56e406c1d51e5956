// SPDX-License-Identifier: GPL-2.0-only
/* A reader's own end of its channel; tests that run a job without a reader bring their own. */
#include <unistd.h>

#include "base/shortage.h"
#include "base/system/channel.h"
#include "readers/jobs.h"

int reader__ask(const struct reader_task *task, const struct reader_question *question)
{
	char nothing;
	size_t nr_files = 1;
	int file;

	if (channel__send(task->channel, true, question, sizeof(*question), NULL, 0) ||
	    channel__receive(task->channel, true, &nothing, sizeof(nothing), &file, &nr_files) < 0)
		return -ENOENT;
	return nr_files ? file : -ENOENT;
}

int reader__answer(const struct reader_task *task, const void *bytes, size_t nr_bytes)
{
	const char *next = bytes;

	while (nr_bytes) {
		const ssize_t written = write(task->answer, next, nr_bytes);

		if (written < 0)
			return shortage__of_call(-errno);
		next += written;
		nr_bytes -= (size_t)written;
	}
	return 0;
}
