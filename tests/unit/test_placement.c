// SPDX-License-Identifier: GPL-2.0-only
/* Where probes go, in functions that the assembler made. */
#include "capture/probes/placement.h"

#include <errno.h>
#include <string.h>

#include "expect.h"
#include "readers/instruction.h"

#ifdef __x86_64__

/* A function that never runs: its code between NAME_begin and NAME_end. */
#define CODE(name, text)                                   \
	extern const uint8_t name##_begin[], name##_end[]; \
	__asm__(".pushsection .rodata\n" #name "_begin:\n" text "\n" #name "_end:\n.popsection\n")

#define EXPECT_ENTRY(name, offset, is_emulated) \
	expect_entry(name##_begin, (size_t)(name##_end - name##_begin), 0, offset, is_emulated)
#define EXPECT_WITH(name, arguments, offset, is_emulated)                                  \
	expect_entry(name##_begin, (size_t)(name##_end - name##_begin), arguments, offset, \
		     is_emulated)
#define EXPECT_AT(name, wanted, expected, offset) \
	expect_at(name##_begin, (size_t)(name##_end - name##_begin), wanted, expected, offset)

static void expect_entry(const uint8_t *code, size_t size, unsigned int arguments, size_t offset,
			 bool is_emulated)
{
	struct placement placement;

	EXPECT_EQ(placement__entry(&placement, code, size, arguments), 0);
	EXPECT_EQ(placement.offset, offset);
	EXPECT_EQ(placement.is_emulated, is_emulated);
}

static void expect_at(const uint8_t *code, size_t size, size_t wanted, int expected, size_t offset)
{
	struct placement placement;

	EXPECT_EQ(placement__at(&placement, code, size, wanted), expected);
	if (!expected)
		EXPECT_EQ(placement.offset, offset);
}

CODE(pushes, "push %rbp; mov %rsp,%rbp; ret");
CODE(pushes_high, "push %r15; ret");
CODE(lands, "endbr64; push %rbp; mov %rsp,%rbp; ret");
CODE(free_of_glibc, "test %rdi,%rdi; je 1f; push %rbx; call 1f; pop %rbx; 1: ret");
CODE(nop, "nop; sub $8,%rsp; ret");
CODE(calls, "xor %eax,%eax; call . + 100; ret");
CODE(jumps, "endbr64; jmp . + 1000");
CODE(subtracts, "sub $24,%rsp; call . + 100; add $24,%rsp; ret");
CODE(lands_and_subtracts, "endbr64; sub $24,%rsp; call . + 100; add $24,%rsp; ret");
CODE(returns, "lea (%rdi,%rsi),%rax; ret");
CODE(calls_the_kernel, "mov $1,%eax; syscall; jae 1f; 1: ret");
CODE(aligns, "lea 8(%rsp),%r10; and $-32,%rsp; push -8(%r10); push %rbp; ret");
CODE(pops, "pop %rax; push %rbp; ret");
CODE(traps, "ud2; push %rbp; ret");
CODE(far_away, "movabs $1,%rax; movabs $2,%rax; push %rbp; ret");   /* 20 bytes */
CODE(at_the_limit, "movabs $1,%rax; movl $1,%r9d; push %rbp; ret"); /* 16 bytes */

CODE(past_the_limit, "movabs $1,%rax; movq $1,%r9; push %rbp; ret"); /* 17 bytes */
CODE(jumps_far, "test %edi,%edi; je . + 1000; ret");

static void test_entry(void)
{
	EXPECT_ENTRY(pushes, 0, true);
	EXPECT_ENTRY(pushes_high, 0, true);
	EXPECT_ENTRY(lands, 4, true);
	EXPECT_ENTRY(free_of_glibc, 3, true);
	EXPECT_ENTRY(nop, 0, true);
	EXPECT_ENTRY(calls, 2, true);
	EXPECT_ENTRY(jumps, 4, true);
	EXPECT_ENTRY(subtracts, 0, false);
	EXPECT_ENTRY(lands_and_subtracts, 0, false);
	EXPECT_ENTRY(returns, 0, false);
	EXPECT_ENTRY(calls_the_kernel, 0, false);
	EXPECT_ENTRY(aligns, 0, false);
	EXPECT_ENTRY(pops, 0, false);
	EXPECT_ENTRY(traps, 0, false);
	EXPECT_ENTRY(far_away, 0, false);
	EXPECT_ENTRY(at_the_limit, 16, true);
	EXPECT_ENTRY(past_the_limit, 0, false);
	EXPECT_ENTRY(jumps_far, 2, true);
}

CODE(loops, "mov $9,%ecx; 1: dec %ecx; jne 1b; ret");
CODE(loops_to_the_entry, "dec %edi; jne . - 2; ret");
CODE(begins_again, "endbr64; 1: push %rbp; pop %rbp; dec %edi; jmp 1b");
CODE(far_loop, "mov %edi,%eax; 1: test %eax,%eax; je 2f; .skip 300,0x90; jmp 1b; 2: ret");
CODE(not_code, "mov %edi,%eax; je 1f; 1: ret; .byte 0x06");

/* A target of a jump runs more often than the function is called. */
static void test_loops(void)
{
	EXPECT_ENTRY(loops, 0, false);
	EXPECT_ENTRY(loops_to_the_entry, 2, true);
	EXPECT_ENTRY(begins_again, 0, false);
	EXPECT_ENTRY(far_loop, 0, false);
	EXPECT_ENTRY(not_code, 0, false);
}

CODE(changes_first, "mov $5,%edi; push %rbp; ret");
CODE(changes_parts, "mov $5,%r9b; push %rbp; ret");

static void test_arguments(void)
{
	EXPECT_WITH(changes_first, 0, 5, true);
	EXPECT_WITH(changes_first, 1 << 0, 0, false);
	EXPECT_WITH(changes_first, 1 << 1, 5, true);
	EXPECT_WITH(changes_parts, 1 << 5, 0, false);
	EXPECT_WITH(free_of_glibc, 0x3f, 3, true);
}

CODE(nop5, ".byte 0x0f,0x1f,0x44,0,0; lea -8(%rsp),%rax; ret");
CODE(nop5_and_push, ".byte 0x0f,0x1f,0x44,0,0; push %rbp; ret");
CODE(other_nop5, ".byte 0x3e,0x0f,0x1f,0x40,0; mov %edi,%eax; ret");
CODE(long_nop, ".byte 0x66,0x66,0x66,0x66,0x90; mov %edi,%eax; ret");
CODE(jump_to_next, "jmp.d32 1f; 1: mov %edi,%eax; ret");
CODE(lea_of_itself, ".byte 0x3e,0x48,0x8d,0x7f,0; mov %edi,%eax; ret");
CODE(only_nop5, ".byte 0x0f,0x1f,0x44,0,0");
CODE(nop5_of_a_loop, ".byte 0x0f,0x1f,0x44,0,0; 1: dec %edi; jne 1b; ret");
CODE(real_jump, "jmp.d32 . + 100; ret");
CODE(nop4, ".byte 0x0f,0x1f,0x40,0; mov %edi,%eax; ret");

static void test_nop5(void)
{
	struct placement placement;

	EXPECT_ENTRY(nop5, 5, false);
	EXPECT_ENTRY(nop5_and_push, 5, true);
	EXPECT_ENTRY(other_nop5, 5, false);
	EXPECT_ENTRY(long_nop, 5, false);
	EXPECT_ENTRY(jump_to_next, 5, false);
	EXPECT_ENTRY(lea_of_itself, 5, false);
	EXPECT_ENTRY(real_jump, 0, true);
	EXPECT_ENTRY(nop4, 0, false);
	EXPECT_EQ(placement__entry(&placement, only_nop5_begin, 5, 0), -ENOTSUP);
	EXPECT_EQ(placement__entry(&placement, nop5_of_a_loop_begin,
				   (size_t)(nop5_of_a_loop_end - nop5_of_a_loop_begin), 0),
		  -ENOTSUP);
}

CODE(site, "push %rbp; mov %rsp,%rbp; nop; .byte 0x0f,0x1f,0x44,0,0; pop %rbp; ret");
CODE(site_in_a_branch, "test %edi,%edi; je 1f; .byte 0x0f,0x1f,0x44,0,0; 1: ret");

static void test_at(void)
{
	EXPECT_AT(site, 0, 0, 0);
	EXPECT_AT(site, 1, 0, 1);
	EXPECT_AT(site, 2, -EINVAL, 0);
	EXPECT_AT(site, 4, 0, 4);
	EXPECT_AT(site, 5, 0, 10);
	EXPECT_AT(site, 11, 0, 11);
	EXPECT_AT(site, 12, -EINVAL, 0);
	EXPECT_AT(site, 1000, -EINVAL, 0);
	EXPECT_AT(site_in_a_branch, 4, -ENOTSUP, 0);
	EXPECT_AT(not_code, 6, -EINVAL, 0);
}

static void test_cut_off(void)
{
	struct placement placement;

	EXPECT_EQ(placement__entry(&placement, pushes_begin, 0, 0), -EILSEQ);
	EXPECT_EQ(placement__entry(&placement, lands_begin, 3, 0), -EILSEQ);
	EXPECT_EQ(placement__entry(&placement, lands_begin, 4, 0), 0);
	EXPECT_EQ(placement.offset, 0);
}

static void test_text(void)
{
	char text[32], little[5];

	instruction__text(pushes_begin, 1, INSTRUCTION_ANYWHERE, text, sizeof(text));
	EXPECT_STR(text, "push %rbp");
	instruction__text(subtracts_begin, 4, INSTRUCTION_ANYWHERE, text, sizeof(text));
	EXPECT_STR(text, "sub $0x18, %rsp");
	instruction__text(subtracts_begin, 2, INSTRUCTION_ANYWHERE, text, sizeof(text));
	EXPECT_STR(text, "");
	instruction__text(subtracts_begin, 4, INSTRUCTION_ANYWHERE, little, sizeof(little));
	EXPECT(strlen(little) < sizeof(little));
}

/* Bytes and texts as objdump has them; places are where the instruction is and what it says. */
static void test_text_in_place(void)
{
	static const struct {
		uint8_t code[8];
		size_t size;
		enum instruction_kind kind;
		const char *text;
	} cases[] = {
		{{0x75, 0xfe}, 2, INSTRUCTION_JUMP, "jne 0x401000"},
		{{0x76, 0x10}, 2, INSTRUCTION_JUMP, "jbe 0x401012"},
		{{0x77, 0x10}, 2, INSTRUCTION_JUMP, "ja 0x401012"},
		{{0x73, 0x10}, 2, INSTRUCTION_JUMP, "jae 0x401012"},
		{{0x7f, 0x10}, 2, INSTRUCTION_JUMP, "jg 0x401012"},
		{{0x7d, 0x10}, 2, INSTRUCTION_JUMP, "jge 0x401012"},
		{{0xeb, 0xfe}, 2, INSTRUCTION_JUMP, "jmp 0x401000"},
		{{0x0f, 0x97, 0xc0}, 3, INSTRUCTION_PLAIN, "seta %al"},
		{{0x0f, 0x44, 0xc1}, 3, INSTRUCTION_PLAIN, "cmove %ecx, %eax"},
		{{0xe8, 0xfb, 0x0f, 0, 0}, 5, INSTRUCTION_CALL, "call 0x402000"},
		{{0x0f, 0x05}, 2, INSTRUCTION_ENTERS_KERNEL, "syscall"},
		{{0xc3}, 1, INSTRUCTION_PLAIN, "ret"},
	};
	struct instruction instruction;
	char text[64];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		instruction__text(cases[i].code, cases[i].size, 0x401000, text, sizeof(text));
		EXPECT_STR(text, cases[i].text);
		EXPECT_EQ(instruction__read(&instruction, cases[i].code, cases[i].size), 0);
		EXPECT_EQ(instruction.length, cases[i].size);
		EXPECT_EQ(instruction.kind, cases[i].kind);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{"entries of functions", test_entry},
		{"loops", test_loops},
		{"arguments", test_arguments},
		{"nops of five bytes", test_nop5},
		{"places that were said", test_at},
		{"code that is cut off", test_cut_off},
		{"text", test_text},
		{"text in its place", test_text_in_place},
		{0},
	};

	return run_tests("placement", tests);
}

#else

int main(void)
{
	return 77;
}

#endif
