// SPDX-License-Identifier: GPL-2.0-only
/* The segments in which a file's code is loaded (readers/file_segments.h). */

#include "readers/file_segments.h"
#include "readers/jobs.h"

/*
 * Whether the sections have code: a debug file keeps the headers of its code, with other offsets.
 */
static bool has_code(const struct elf_file *file)
{
	struct elf_section section;

	for (size_t i = 1; i < file->nr_sections; i++)
		if (elf_file__section(file, i, &section) &&
		    (section.header.sh_flags & SHF_EXECINSTR) &&
		    section.header.sh_type == SHT_NOBITS)
			return false;
	return true;
}

int job__segments(const struct reader_task *task)
{
	struct segments_request request;
	struct file_segments said = {0};
	char found[BUILD_ID_TEXT_SIZE];
	struct elf_file file;
	struct build_id id;
	GElf_Phdr header;
	int code;

	if (task->nr_files != 1 || task->nr_bytes != sizeof(request))
		return -EINVAL;
	memcpy(&request, task->arguments, sizeof(request));
	request.build_id[sizeof(request.build_id) - 1] = '\0';
	code = elf_file__open(&file, task->files[0]);
	if (code)
		return code;
	elf_file__build_id(&file, &id);
	build_id__format(&id, found);
	said.has_offsets = has_code(&file);
	for (size_t i = 0; elf_file__segment(&file, i, &header); i++)
		if (header.p_type == PT_LOAD && header.p_flags & PF_X &&
		    said.nr < MAX_FILE_SEGMENTS)
			said.segments[said.nr++] = (struct file_segment){
				.offset = header.p_offset,
				.address = header.p_vaddr,
				.size = said.has_offsets ? header.p_filesz : header.p_memsz,
			};
	if (*request.build_id && strcmp(request.build_id, found) != 0)
		code = -ESTALE;
	else if (!said.nr)
		code = -ENOEXEC;
	elf_file__close(&file);
	return code ? code : reader__answer(task, &said, sizeof(said));
}
