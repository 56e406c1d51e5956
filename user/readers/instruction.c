// SPDX-License-Identifier: GPL-2.0-only
#include "readers/instruction.h"

#if defined(__x86_64__) && !defined(TOPSTACKS_NO_ZYDIS)

#include <Zydis/Zydis.h>

bool instruction__has_decoder(void)
{
	return true;
}

/*
 * Whether the kernel emulates it: arch/x86/kernel/uprobes.c has emulated push, nop, and jumps and
 * calls to a fixed place since 4.18. It refuses some with prefixes, and misreads others, so none
 * with a prefix counts.
 */
static bool emulates(const uint8_t *code, unsigned int length)
{
	uint8_t second = length > 1 ? code[1] : 0;

	switch (code[0]) {
	case 0x90: /* nop */
	case 0xe8: /* call */
	case 0xe9: /* jmp */
	case 0xeb:
		return true;
	case 0x41: /* push of r8 to r15 */
		return (second & 0xf8) == 0x50;
	case 0x0f: /* conditional jumps, far */
		return (second & 0xf0) == 0x80;
	}
	return (code[0] & 0xf8) == 0x50 || (code[0] & 0xf0) == 0x70; /* push; jumps, near */
}

static ZydisRegister whole_register(ZydisRegister part)
{
	return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, part);
}

/*
 * Whether it is a nop: all that the kernel's insn_is_nop (arch/x86/lib/insn-eval.c) knows, and
 * more.
 */
static bool does_nothing(const ZydisDecodedInstruction *decoded,
			 const ZydisDecodedOperand *operands)
{
	switch (decoded->mnemonic) {
	case ZYDIS_MNEMONIC_NOP:
		return true;
	case ZYDIS_MNEMONIC_JMP:
		return decoded->raw.imm[0].is_relative && !decoded->raw.imm[0].value.s;
	case ZYDIS_MNEMONIC_MOV:
		return operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		       operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		       operands[0].reg.value == operands[1].reg.value;
	case ZYDIS_MNEMONIC_LEA:
		return whole_register(operands[0].reg.value) ==
			       whole_register(operands[1].mem.base) &&
		       !operands[1].mem.disp.value;
	default:
		return false;
	}
}

static bool leaves(const ZydisDecodedInstruction *decoded)
{
	switch (decoded->meta.category) {
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_SYSTEM:
	case ZYDIS_CATEGORY_UINTR:
	case ZYDIS_CATEGORY_UNCOND_BR:
		return true;
	default:
		break;
	}
	return decoded->meta.branch_type != ZYDIS_BRANCH_TYPE_NONE ||
	       decoded->mnemonic == ZYDIS_MNEMONIC_UD0 || decoded->mnemonic == ZYDIS_MNEMONIC_UD1 ||
	       decoded->mnemonic == ZYDIS_MNEMONIC_UD2;
}

static void note_writes(struct instruction *instruction, const ZydisDecodedInstruction *decoded,
			const ZydisDecodedOperand *operands)
{
	static const ZydisRegister arguments[] = {ZYDIS_REGISTER_RDI, ZYDIS_REGISTER_RSI,
						  ZYDIS_REGISTER_RDX, ZYDIS_REGISTER_RCX,
						  ZYDIS_REGISTER_R8,  ZYDIS_REGISTER_R9};

	for (size_t i = 0; i < decoded->operand_count; i++) {
		ZydisRegister written;

		if (operands[i].type != ZYDIS_OPERAND_TYPE_REGISTER ||
		    !(operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
			continue;
		written = whole_register(operands[i].reg.value);
		if (written == ZYDIS_REGISTER_RSP || written == ZYDIS_REGISTER_RIP)
			instruction->is_straight = false;
		for (size_t n = 0; n < sizeof(arguments) / sizeof(*arguments); n++)
			if (written == arguments[n])
				instruction->overwritten |= 1u << n;
	}
}

static enum instruction_kind kind_of(const ZydisDecodedInstruction *decoded)
{
	switch (decoded->meta.category) {
	case ZYDIS_CATEGORY_CALL:
		return INSTRUCTION_CALL;
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_UNCOND_BR:
		return INSTRUCTION_JUMP;
	case ZYDIS_CATEGORY_SYSCALL:
		return INSTRUCTION_ENTERS_KERNEL;
	default:
		return INSTRUCTION_PLAIN;
	}
}

int instruction__read(struct instruction *instruction, const uint8_t *code, size_t size)
{
	ZydisDecoder decoder;
	ZydisDecodedInstruction decoded;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, code, size, &decoded, operands)))
		return -EILSEQ;
	*instruction = (struct instruction){
		.length = decoded.length,
		.kind = kind_of(&decoded),
		.is_emulated = emulates(code, decoded.length),
		.is_nop5 = decoded.length == 5 && does_nothing(&decoded, operands),
		.is_straight = !leaves(&decoded),
	};
	instruction->has_target = decoded.raw.imm[0].is_relative && !instruction->is_nop5;
	if (instruction->has_target)
		instruction->target = decoded.raw.imm[0].value.s + decoded.length;
	note_writes(instruction, &decoded, operands);
	return 0;
}

/* ---- text ---- */

_Static_assert(INSTRUCTION_ANYWHERE == ZYDIS_RUNTIME_ADDRESS_NONE, "Zydis's own word for it");

/*
 * Renames conditions as gdb and objdump do: "jnz" to "jne", "setnbe" to "seta". A longer name
 * stands before its own prefix.
 */
static void rename_condition(char *text)
{
	static const char *const prefixes[] = {"j", "set", "cmov"};
	static const char *const conditions[][2] = {{"nbe", "a"}, {"nle", "g"}, {"nb", "ae"},
						    {"nl", "ge"}, {"nz", "ne"}, {"z", "e"}};
	char *condition = NULL;

	for (size_t i = 0; !condition && i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (!strncmp(text, prefixes[i], strlen(prefixes[i])))
			condition = text + strlen(prefixes[i]);
	for (size_t i = 0; condition && i < sizeof(conditions) / sizeof(*conditions); i++) {
		const size_t length = strlen(conditions[i][0]), other = strlen(conditions[i][1]);

		if (strncmp(condition, conditions[i][0], length) != 0)
			continue;
		memcpy(condition, conditions[i][1], other);
		memmove(condition + other, condition + length, strlen(condition + length) + 1);
		return;
	}
}

void instruction__text(const uint8_t *code, size_t code_size, uint64_t address, char *text,
		       size_t size)
{
	static const struct {
		ZydisFormatterProperty property;
		ZyanUPointer value;
	} style[] = {
		{ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE},
		{ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED},
		{ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED},
		{ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED},
	};
	ZydisDecoder decoder;
	ZydisFormatter formatter;
	ZydisDecodedInstruction decoded;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZyanStatus status;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	status = ZydisDecoderDecodeFull(&decoder, code, code_size, &decoded, operands);
	if (ZYAN_SUCCESS(status))
		status = ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_ATT);
	for (size_t i = 0; ZYAN_SUCCESS(status) && i < sizeof(style) / sizeof(*style); i++)
		status = ZydisFormatterSetProperty(&formatter, style[i].property, style[i].value);
	if (ZYAN_SUCCESS(status))
		status = ZydisFormatterFormatInstruction(&formatter, &decoded, operands,
							 decoded.operand_count_visible, text, size,
							 address, NULL);
	if (ZYAN_FAILED(status))
		text[0] = '\0';
	else
		rename_condition(text);
}

#else

#ifdef __aarch64__

/* Instructions have one length on this machine, and each can have a probe. */
bool instruction__has_decoder(void)
{
	return true;
}

int instruction__read(struct instruction *instruction, const uint8_t *code, size_t size)
{
	(void)code;
	if (size < 4)
		return -EILSEQ;
	*instruction = (struct instruction){.length = 4};
	return 0;
}

#else

bool instruction__has_decoder(void)
{
	return false;
}

int instruction__read(struct instruction *instruction, const uint8_t *code, size_t size)
{
	(void)instruction, (void)code, (void)size;
	return -EILSEQ;
}

#endif

void instruction__text(const uint8_t *code, size_t code_size, uint64_t address, char *text,
		       size_t size)
{
	(void)code, (void)code_size, (void)address, (void)size;
	text[0] = '\0';
}

#endif
