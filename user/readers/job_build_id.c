// SPDX-License-Identifier: GPL-2.0-only
/* The build ID of a file, in lower-case hex, with its zero. Arguments: none. */
#include <errno.h>
#include <string.h>

#include "elf/file.h"
#include "readers/jobs.h"

int job__build_id(const struct reader_task *task)
{
	char text[BUILD_ID_TEXT_SIZE];
	struct elf_file file;
	struct build_id id;
	int code;

	if (task->nr_files != 1 || task->nr_bytes)
		return -EINVAL;
	code = elf_file__open(&file, task->files[0]);
	if (code)
		return code;
	elf_file__build_id(&file, &id);
	elf_file__close(&file);
	build_id__format(&id, text);
	return *text ? reader__answer(task, text, strlen(text) + 1) : -ENOEXEC;
}
