// SPDX-License-Identifier: GPL-2.0-only
/* Decodes code to text (readers/instructions.h). */

#include "elf/file.h"
#include "readers/instructions.h"
#include "readers/jobs.h"

#define MAX_CODE_BYTES (4U << 20) /* of one range */

struct disassembly {
	const struct reader_task *task;
	struct elf_file file;
	size_t nr_instructions;
};

/* Answers the next instruction; bytes that are none are told one by one. */
static int answer_next(struct disassembly *disassembly, const uint8_t *code, size_t nr_bytes,
		       uint64_t address, unsigned int *length)
{
	struct read_instruction said = {.address = address};
	struct instruction instruction;

	if (instruction__read(&instruction, code, nr_bytes))
		instruction = (struct instruction){.length = 1, .kind = INSTRUCTION_NONE};
	said.size = *length = instruction.length;
	said.kind = instruction.kind;
	if (instruction.has_target)
		said.target = address + (uint64_t)instruction.target;
	if (instruction.kind == INSTRUCTION_NONE)
		snprintf(said.text, sizeof(said.text), ".byte 0x%02x", *code);
	else
		instruction__text(code, nr_bytes, address, said.text, sizeof(said.text));
	disassembly->nr_instructions++;
	return reader__answer(disassembly->task, &said, sizeof(said));
}

/* ---- a range ---- */

/*
 * Whether the section with the address has no contents: in a debug file segments still list code
 * that the sections lack.
 */
static bool is_left_out(const struct elf_file *file, uint64_t address)
{
	struct elf_section section;

	for (size_t i = 1; i < file->nr_sections; i++)
		if (elf_file__section(file, i, &section) &&
		    section.header.sh_flags & SHF_EXECINSTR &&
		    address - section.header.sh_addr < section.header.sh_size)
			return section.header.sh_type == SHT_NOBITS;
	return false;
}

static int read_range(struct disassembly *disassembly, const struct instruction_range *range)
{
	uint64_t offset, left, address = range->start;
	const uint8_t *code;
	size_t nr_bytes;

	if (range->end <= range->start || is_left_out(&disassembly->file, address) ||
	    !elf_file__find_code(&disassembly->file, address, &offset, &left))
		return -ENOENT;
	if (left > range->end - range->start)
		left = range->end - range->start;
	nr_bytes = left < MAX_CODE_BYTES ? left : MAX_CODE_BYTES;
	code = elf_file__bytes(&disassembly->file, offset, nr_bytes);
	if (!code)
		return -ENOENT;
	for (unsigned int length; nr_bytes && disassembly->nr_instructions < MAX_INSTRUCTIONS;
	     code += length, nr_bytes -= length, address += length) {
		const int result = answer_next(disassembly, code, nr_bytes, address, &length);

		if (result)
			return result;
	}
	return 0;
}

/* ---- the file ---- */

static int read_file(struct disassembly *disassembly, const struct instructions_request *request)
{
	char text[BUILD_ID_TEXT_SIZE];
	struct build_id id;
	int result = 0;

	elf_file__build_id(&disassembly->file, &id);
	build_id__format(&id, text);
	if (!*text || strncmp(text, request->build_id, sizeof(text)) != 0)
		return -ESTALE;
	if (disassembly->file.header.e_machine != EM_X86_64 || !instruction__has_decoder())
		return -ENOTSUP;
	if (request->nr_ranges > MAX_INSTRUCTION_RANGES)
		return -EINVAL;
	for (uint32_t i = 0; !result && i < request->nr_ranges; i++)
		result = read_range(disassembly, &request->ranges[i]);
	return result;
}

int job__instructions(const struct reader_task *task)
{
	struct disassembly disassembly = {.task = task};
	struct instructions_request request;
	int result;

	if (task->nr_files != 1 || task->nr_bytes != sizeof(request))
		return -EINVAL;
	memcpy(&request, task->arguments, sizeof(request));
	result = elf_file__open(&disassembly.file, task->files[0]);
	if (result)
		return result;
	result = read_file(&disassembly, &request);
	elf_file__close(&disassembly.file);
	return result;
}
