// SPDX-License-Identifier: GPL-2.0-only
/* Code as text (readers/instructions.h). */
#include <capstone/capstone.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "elf/file.h"
#include "readers/instructions.h"
#include "readers/jobs.h"

#define MAX_CODE_BYTES (4U << 20) /* of one range */

struct disassembly {
	const struct reader_task *task;
	struct elf_file file;
	csh decoder;
	cs_insn *instruction;
	size_t nr_instructions;
};

/* ---- one instruction ---- */

static bool is_in_group(const struct disassembly *disassembly, unsigned int group)
{
	return cs_insn_group(disassembly->decoder, disassembly->instruction, group);
}

static enum instruction_kind kind_of(const struct disassembly *disassembly)
{
	const cs_insn *instruction = disassembly->instruction;
	const bool is_arm = disassembly->file.header.e_machine == EM_AARCH64;
	const unsigned int id = instruction->id;

	if (!id)
		return INSTRUCTION_NONE;
	if (is_arm ? id == ARM64_INS_SVC : id == X86_INS_SYSCALL)
		return INSTRUCTION_ENTERS_KERNEL;
	if ((is_arm && (id == ARM64_INS_BL || id == ARM64_INS_BLR)) ||
	    is_in_group(disassembly, CS_GRP_CALL))
		return INSTRUCTION_CALL;
	return is_in_group(disassembly, CS_GRP_JUMP) ? INSTRUCTION_JUMP : INSTRUCTION_PLAIN;
}

static uint64_t x86_target(const cs_x86 *detail)
{
	return detail->op_count == 1 && detail->operands[0].type == X86_OP_IMM
		       ? (uint64_t)detail->operands[0].imm
		       : 0;
}

/* "tbz x0, #3, target": the last one. */
static uint64_t arm_target(const cs_arm64 *detail)
{
	const unsigned int nr = detail->op_count;

	return nr && detail->operands[nr - 1].type == ARM64_OP_IMM
		       ? (uint64_t)detail->operands[nr - 1].imm
		       : 0;
}

static uint64_t target_of(const struct disassembly *disassembly, enum instruction_kind kind)
{
	const cs_detail *detail = disassembly->instruction->detail;

	if (kind != INSTRUCTION_JUMP && kind != INSTRUCTION_CALL)
		return 0;
	return disassembly->file.header.e_machine == EM_AARCH64 ? arm_target(&detail->arm64)
								 : x86_target(&detail->x86);
}

static int answer_instruction(struct disassembly *disassembly)
{
	const cs_insn *instruction = disassembly->instruction;
	const enum instruction_kind kind = kind_of(disassembly);
	struct read_instruction said = {
		.address = instruction->address,
		.target = target_of(disassembly, kind),
		.size = instruction->size,
		.kind = kind,
	};

	snprintf(said.text, sizeof(said.text), *instruction->op_str ? "%-6.31s %.64s" : "%.31s%.64s",
		 instruction->mnemonic, instruction->op_str);
	disassembly->nr_instructions++;
	return reader__answer(disassembly->task, &said, sizeof(said));
}

/* ---- a range ---- */

/* Of a debug file the segments may say that there is code, and the sections that there is none. */
static bool is_left_out(const struct elf_file *file, uint64_t address)
{
	struct elf_section section;

	for (size_t i = 1; i < file->nr_sections; i++)
		if (elf_file__section(file, i, &section) && section.header.sh_flags & SHF_EXECINSTR &&
		    address - section.header.sh_addr < section.header.sh_size)
			return section.header.sh_type == SHT_NOBITS;
	return false;
}

static int read_range(struct disassembly *disassembly, const struct code_range *range)
{
	uint64_t offset, left, address = range->start;
	const uint8_t *code;
	size_t nr_bytes;
	int result = 0;

	if (range->end <= range->start || is_left_out(&disassembly->file, address) ||
	    !elf_file__find_code(&disassembly->file, address, &offset, &left))
		return -ENOENT;
	if (left > range->end - range->start)
		left = range->end - range->start;
	nr_bytes = left < MAX_CODE_BYTES ? left : MAX_CODE_BYTES;
	code = elf_file__bytes(&disassembly->file, offset, nr_bytes);
	if (!code)
		return -ENOENT;
	while (!result && disassembly->nr_instructions < MAX_INSTRUCTIONS &&
	       cs_disasm_iter(disassembly->decoder, &code, &nr_bytes, &address,
			      disassembly->instruction))
		result = answer_instruction(disassembly);
	return result;
}

static int read_ranges(struct disassembly *disassembly, const struct instructions_request *request)
{
	int result = request->nr_ranges <= MAX_CODE_RANGES ? 0 : -EINVAL;

	for (uint32_t i = 0; !result && i < request->nr_ranges; i++)
		result = read_range(disassembly, &request->ranges[i]);
	return result;
}

/* ---- the file ---- */

static int open_decoder(struct disassembly *disassembly)
{
	const bool is_arm = disassembly->file.header.e_machine == EM_AARCH64;
	csh *decoder = &disassembly->decoder;

	if (!is_arm && disassembly->file.header.e_machine != EM_X86_64)
		return -ENOTSUP;
	if (cs_open(is_arm ? CS_ARCH_ARM64 : CS_ARCH_X86,
		    is_arm ? CS_MODE_LITTLE_ENDIAN : CS_MODE_64, decoder))
		return -ENOMEM;
	if (!is_arm)
		cs_option(*decoder, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	cs_option(*decoder, CS_OPT_DETAIL, CS_OPT_ON);
	cs_option(*decoder, CS_OPT_SKIPDATA, CS_OPT_ON); /* goes on behind what is no code */
	disassembly->instruction = cs_malloc(*decoder);
	return disassembly->instruction ? 0 : -ENOMEM;
}

static int check_build_id(const struct elf_file *file, const char *wanted)
{
	char text[BUILD_ID_TEXT_SIZE];
	struct build_id id;

	elf_file__build_id(file, &id);
	build_id__format(&id, text);
	return *text && !strncmp(text, wanted, sizeof(text)) ? 0 : -ESTALE;
}

static int read_file(struct disassembly *disassembly, const struct instructions_request *request)
{
	int result = check_build_id(&disassembly->file, request->build_id);

	if (!result)
		result = open_decoder(disassembly);
	if (!result)
		result = read_ranges(disassembly, request);
	if (disassembly->instruction)
		cs_free(disassembly->instruction, 1);
	if (disassembly->decoder)
		cs_close(&disassembly->decoder);
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
