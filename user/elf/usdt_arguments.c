// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses "SIZE@PLACE" in assembler syntax; a negative size means a signed number. Not supported are
 * symbols, sums of two registers, the upper half of ax, and floating point: no known allocator's
 * probes use them.
 */
#include <elf.h>

#include "elf/usdt.h"

/* Each of these functions returns the text behind what it parsed; NULL: not supported. */

static const char *read_number(const char *text, __s64 *number)
{
	char *end;

	if (text[*text == '-'] < '0' || text[*text == '-'] > '9')
		return NULL;
	errno = 0;
	*number = strtoll(text, &end, 10);
	return errno ? NULL : end;
}

/* ---- x86-64 ---- */

/* In the order of struct pt_regs; names for 8, 4, 2 and 1 bytes. */
static const char *const x86_registers[][4] = {
	{"r15", "r15d", "r15w", "r15b"},
	{"r14", "r14d", "r14w", "r14b"},
	{"r13", "r13d", "r13w", "r13b"},
	{"r12", "r12d", "r12w", "r12b"},
	{"rbp", "ebp", "bp", "bpl"},
	{"rbx", "ebx", "bx", "bl"},
	{"r11", "r11d", "r11w", "r11b"},
	{"r10", "r10d", "r10w", "r10b"},
	{"r9", "r9d", "r9w", "r9b"},
	{"r8", "r8d", "r8w", "r8b"},
	{"rax", "eax", "ax", "al"},
	{"rcx", "ecx", "cx", "cl"},
	{"rdx", "edx", "dx", "dl"},
	{"rsi", "esi", "si", "sil"},
	{"rdi", "edi", "di", "dil"},
	{"", "", "", ""}, /* the system call */
	{"rip", "", "", ""},
	{"", "", "", ""}, /* cs */
	{"", "", "", ""}, /* flags */
	{"rsp", "esp", "sp", "spl"},
};

#define X86_REGISTERS (sizeof(x86_registers) / sizeof(x86_registers[0]))

/* Parses "%rdi"; nr_widths 1: only registers of 8 bytes. */
static const char *read_x86_register(const char *text, size_t nr_widths,
				     struct probe_argument *argument)
{
	const size_t length =
		*text == '%' ? strspn(text + 1, "abcdefghijklmnopqrstuvwxyz0123456789") : 0;

	for (size_t i = 0; length && i < X86_REGISTERS; i++)
		for (size_t width = 0; width < nr_widths; width++)
			if (strlen(x86_registers[i][width]) == length &&
			    !memcmp(x86_registers[i][width], text + 1, length)) {
				argument->register_offset = (__u16)(8 * i);
				return text + 1 + length;
			}
	return NULL;
}

/* Parses "$16", "%edi" or "-24(%rbp)". */
static const char *read_x86(const char *text, struct probe_argument *argument)
{
	if (*text == '$')
		return read_number(text + 1, &argument->number);
	argument->kind = PROBE_ARGUMENT_REGISTER;
	if (*text == '%')
		return read_x86_register(text, 4, argument);
	argument->kind = PROBE_ARGUMENT_MEMORY;
	if (*text != '(')
		text = read_number(text, &argument->number);
	if (!text || *text != '(')
		return NULL;
	text = read_x86_register(text + 1, 1, argument);
	return text && *text == ')' ? text + 1 : NULL;
}

/* ---- aarch64 ---- */

#define ARM_SP 31 /* after x0 to x30 in user_pt_regs */

/* Parses "x0" or "sp", and if may_be_half "w0". */
static const char *read_arm_register(const char *text, bool may_be_half,
				     struct probe_argument *argument)
{
	__s64 number;

	if (!strncmp(text, "sp", 2)) {
		argument->register_offset = 8 * ARM_SP;
		return text + 2;
	}
	if ((*text != 'x' && (!may_be_half || *text != 'w')) || text[1] == '-')
		return NULL;
	text = read_number(text + 1, &number);
	if (!text || number >= ARM_SP)
		return NULL;
	argument->register_offset = (__u16)(8 * number);
	return text;
}

/* Parses "16", "w0", "[sp, 24]" or "[x1]"; some compilers write "#24". */
static const char *read_arm(const char *text, struct probe_argument *argument)
{
	if (*text == '-' || (*text >= '0' && *text <= '9'))
		return read_number(text, &argument->number);
	argument->kind = PROBE_ARGUMENT_REGISTER;
	if (*text != '[')
		return read_arm_register(text, true, argument);
	argument->kind = PROBE_ARGUMENT_MEMORY;
	text = read_arm_register(text + 1, false, argument);
	if (text && *text == ',') {
		text += 1 + strspn(text + 1, " #");
		text = read_number(text, &argument->number);
	}
	return text && *text == ']' ? text + 1 : NULL;
}

/* ---- all of them ---- */

static const char *read_argument(const char *text, unsigned int machine,
				 struct probe_argument *argument)
{
	__s64 size;

	*argument = (struct probe_argument){.kind = PROBE_ARGUMENT_CONSTANT};
	text = read_number(text, &size);
	if (!text || *text != '@')
		return NULL;
	argument->is_signed = size < 0;
	size = size < 0 ? -size : size;
	argument->size = (__u8)size;
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return NULL;
	text = machine == EM_AARCH64 ? read_arm(text + 1, argument) : read_x86(text + 1, argument);
	return text && (!*text || *text == ' ') ? text + strspn(text, " ") : NULL;
}

size_t usdt__read_arguments(const char *text, unsigned int machine,
			    struct probe_argument arguments[USDT_MAX_ARGUMENTS])
{
	struct probe_argument argument;
	size_t nr = 0;

	while (nr < USDT_MAX_ARGUMENTS && *text) {
		text = read_argument(text, machine, &argument);
		if (!text)
			break;
		arguments[nr++] = argument;
	}
	return nr;
}
