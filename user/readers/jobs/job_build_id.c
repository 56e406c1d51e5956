// SPDX-License-Identifier: GPL-2.0-only
/*
 * The build ID of a debug file that a server sent, in lower-case hex, with its zero. Arguments:
 * none. -EMSGSIZE: the file ends before its sections do; -ENODATA: it has neither symbols nor
 * DWARF.
 */

#include "elf/file.h"
#include "readers/jobs.h"

/*
 * Whether all sections are within the file. Segments are not checked, as a debug file lacks their
 * contents.
 */
static bool is_whole(const struct elf_file *file)
{
	struct elf_section section;

	if (!file->nr_sections)
		return false;
	for (size_t i = 1; i < file->nr_sections; i++) {
		const GElf_Shdr *header = &section.header;

		if (!elf_file__section(file, i, &section))
			return false;
		if (header->sh_type != SHT_NOBITS && header->sh_type != SHT_NULL &&
		    (header->sh_offset > file->bytes ||
		     header->sh_size > file->bytes - header->sh_offset))
			return false;
	}
	return true;
}

int job__build_id(const struct reader_task *task)
{
	char text[BUILD_ID_TEXT_SIZE];
	struct elf_section section;
	struct elf_file file;
	struct build_id id;
	int code;

	if (task->nr_files != 1 || task->nr_bytes)
		return -EINVAL;
	code = elf_file__open(&file, task->files[0]);
	if (code)
		return code;
	if (!is_whole(&file)) {
		code = -EMSGSIZE;
	} else if (!elf_file__find_type(&file, SHT_SYMTAB, &section) &&
		   !elf_file__find(&file, ".debug_info", &section) &&
		   !elf_file__find(&file, ".zdebug_info", &section)) {
		code = -ENODATA;
	} else {
		elf_file__build_id(&file, &id);
		build_id__format(&id, text);
		code = *text ? 0 : -ENOEXEC;
	}
	elf_file__close(&file);
	return code ? code : reader__answer(task, text, strlen(text) + 1);
}
