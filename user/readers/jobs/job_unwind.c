// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a file: the interpreter in it (struct interpreter, all zeros if none), then its unwind
 * table, as an image (unwind_table__write()).
 */
#include "readers/jobs.h"

#include "elf/file.h"
#include "interpreters/interpreters.h"
#include "unwind/unwind.h"

int job__unwind(const struct reader_task *task)
{
	struct interpreter interpreter;
	struct unwind_table *table;
	struct elf_file file;
	int code;

	if (task->nr_files != 1)
		return -EINVAL;
	code = elf_file__open(&file, task->files[0]);
	if (code)
		return code == -ENOEXEC ? -EBADMSG : code;
	code = unwind_table__build_of(&file, &table);
	if (!code) {
		/* If memory does not suffice for both, the interpreter is left out. */
		interpreters__describe(&file, unwind_table__base(table), &interpreter);
		code = reader__answer(task, &interpreter, sizeof(interpreter));
		if (!code)
			code = unwind_table__write(table, task->answer);
		unwind_table__free(table);
	}
	elf_file__close(&file);
	return code;
}
