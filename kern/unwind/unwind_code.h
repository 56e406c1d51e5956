/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Steps from a frame to its caller where no row covers the pc: by what the code itself shows, and
 * by what calls leave in registers and on the stack. Pure; unwind_walk.h takes the step.
 *
 * For machines with a link register, the including file first defines whether an address has a row:
 *	static inline bool unwind_has_row(void *rows, __u64 address);
 */
#ifndef TOPSTACKS_KERN_UNWIND_UNWIND_CODE_H
#define TOPSTACKS_KERN_UNWIND_UNWIND_CODE_H

#include "unwind/unwind_walk.h"

/* The largest distance up the stack at which a frame record is searched. */
#define UNWIND_MAX_FRAME_BYTES (1 << 20)

/*
 * The row that steps along a frame record {fp, return address}, for code without rows that keeps
 * fp.
 */
#define UNWIND_FRAME_RECORD                   \
	((struct unwind_row){.cfa_offset = 2, \
			     .fp_offset = 2,  \
			     .rules =         \
				     UNWIND_RULES(UNWIND_FP, UNWIND_FP_AT_CFA, UNWIND_RA_AT_CFA)})

enum unwind_bare {
	UNWIND_BARE_NONE,
	UNWIND_BARE_GUESS, /* the step may skip frames that made no record */
	UNWIND_BARE_SURE,
};

/* Returns true if fp may point to a caller's frame record: it lies a little higher on the stack. */
static inline __attribute__((always_inline)) bool
unwind_bare__may_have_record(const struct unwind_registers *registers)
{
	return !registers->fp_lost && !(registers->fp & 7) &&
	       registers->fp - registers->sp < UNWIND_MAX_FRAME_BYTES;
}

#ifdef UNWIND_HAS_LINK

#define UNWIND_LEAF \
	((struct unwind_row){.rules = UNWIND_RULES(UNWIND_SP, UNWIND_FP_SAME, UNWIND_RA_LINK)})

/*
 * Recognizes mov x8, #139; svc #0: rt_sigreturn. code: the next 8 bytes. The vDSO's has no call
 * frame information on purpose (87676cfca141).
 */
static inline __attribute__((always_inline)) bool
unwind_row__of_code(__u64 code, const struct unwind_registers *registers, void *context,
		    struct unwind_row *row)
{
	(void)registers;
	(void)context;
	if (code != 0xd4000001d2801168)
		return false;
	*row = (struct unwind_row){.rules = UNWIND_RULES(UNWIND_SIGNAL, 0, 0)};
	return true;
}

#define UNWIND_IS_BL(code) (((code)&0xfc000000) == 0x94000000)

/* Returns true for bl, and blr, also of a signed address. */
static inline __attribute__((always_inline)) bool unwind_code__is_call(__u32 code)
{
	return UNWIND_IS_BL(code) || (code & 0xfffffc1f) == 0xd63f0000 ||
	       (code & 0xfefff800) == 0xd63f0800;
}

/* Returns the instruction before a return address; 0, which is no call, if it cannot be read. */
static inline __attribute__((always_inline)) __u32 unwind_code__call(__u64 address, void *context)
{
	__u32 code = 0;

	return unwind_read(context, address - sizeof(code), &code, sizeof(code)) ? 0 : code;
}

/* The limit of a function's length without rows. */
#define UNWIND_MAX_BARE_BYTES (1 << 16)

/*
 * Returns true if the call before a return address leads into code without rows, a little before
 * pc.
 */
static inline __attribute__((always_inline)) bool
unwind_code__called_here(__u64 address, __u64 pc, void *context, void *rows)
{
	const __u32 call = unwind_code__call(address, context);
	const __u64 target = address - 4 + (__u64)((__s64)(__s32)(call << 6) >> 4);

	return UNWIND_IS_BL(call) && pc - target < UNWIND_MAX_BARE_BYTES &&
	       !unwind_has_row(rows, target);
}

/*
 * Finds the step for assembly without rows. Until it has called another function, x30 has its
 * return address: a leaf makes no record, and if another function makes one, it has the same
 * address. Some code uses x30 for numbers: then the record is the function's own if the call before
 * the address in the record leads to the function. After a call, x30 has an address in code without
 * rows: then, and further up the stack, the record may be the caller's.
 *
 * context: for reads of code and stack.
 */
static inline __attribute__((always_inline)) enum unwind_bare
unwind_bare__find(const struct unwind_registers *registers, bool is_innermost, void *context,
		  void *rows, struct unwind_row *row)
{
	const __u64 link = registers->link, pc = registers->pc;
	__u64 record[2] = {0, 0}, recorded;
	const bool has_record = unwind_bare__may_have_record(registers) &&
				!unwind_read(context, registers->fp, record, sizeof(record));

	recorded = unwind_address(record[1]);
	*row = UNWIND_FRAME_RECORD;
	if (has_record && link && recorded == link)
		return UNWIND_BARE_SURE;
	if (link && unwind_code__is_call(unwind_code__call(link, context))) {
		if (unwind_has_row(rows, link - 1)) {
			*row = UNWIND_LEAF;
			return UNWIND_BARE_SURE;
		}
	} else if (is_innermost && has_record &&
		   unwind_code__called_here(recorded, pc, context, rows)) {
		return UNWIND_BARE_SURE;
	}
	return has_record ? UNWIND_BARE_GUESS : UNWIND_BARE_NONE;
}

/*
 * Returns true if a step without known sp went wrong, because fp did not point to a record: there
 * is no call before the return address, as some compilers keep other values in fp, or the row needs
 * sp.
 */
static inline __attribute__((always_inline)) bool
unwind_step__was_no_record(enum unwind_step step, const struct unwind_registers *registers,
			   void *context)
{
	return step > UNWIND_STEP_INTERRUPTED ||
	       (step == UNWIND_STEP_CALLER &&
		!unwind_code__is_call(unwind_code__call(registers->pc, context)));
}

#else

/*
 * Recognizes push %rdx; mov %rax, %rdi; jmp: musl's vfork() after its system call; it has no call
 * frame information.
 */
static inline __attribute__((always_inline)) bool unwind_code__is_vfork(__u64 code)
{
	return (code & 0xffffffffff) == 0xe9c7894852;
}

/*
 * Recognizes test %rax, %rax; jl; je .+1; ret: glibc's clone() and clone3() after the system call,
 * where their call frame information ends. posix_spawn(), system() and popen() wait there until the
 * child runs its program.
 */
static inline __attribute__((always_inline)) bool unwind_code__is_clone(__u64 code)
{
	return (code & 0xffffff00ffffffff) == 0xc30174007cc08548;
}

#define CALL_BYTES 5 /* of a near call */

/*
 * Returns true if the word at sp was left by a call of the current, small function. Then this is
 * the parent; the child of a clone is at the same instruction, but on a new stack.
 */
static inline __attribute__((always_inline)) bool
unwind_code__was_called(const struct unwind_registers *registers, void *context)
{
	__u64 caller, function, call = 0;

	if (unwind_read(context, registers->sp, &caller, sizeof(caller)) ||
	    unwind_read(context, caller - CALL_BYTES, &call, CALL_BYTES))
		return false;
	function = caller + (__u64)(__s64)(__s32)(call >> 8);
	return (__u8)call == 0xe8 && registers->pc - function < 64;
}

/*
 * Derives a row from code that is about to return: add $n, %rsp; pop %rbp; ret, of which the first
 * two may be missing. code: the next 8 bytes.
 */
static inline __attribute__((always_inline)) bool
unwind_row__of_code(__u64 code, const struct unwind_registers *registers, void *context,
		    struct unwind_row *row)
{
	const bool adds = (code & 0xffffff) == 0xc48348;
	const __u8 added = (__u8)(code >> 24);
	const __u16 last = (__u16)(adds ? code >> 32 : code);
	const bool pops = (__u8)last == 0x5d;

	*row = (struct unwind_row){
		.fp_offset = 1, .rules = UNWIND_RULES(UNWIND_SP, UNWIND_FP_SAME, UNWIND_RA_LINK)};
	if (unwind_code__is_vfork(code))
		return true;
	*row = (struct unwind_row){
		.cfa_offset = 1,
		.rules = UNWIND_RULES(UNWIND_SP, UNWIND_FP_SAME, UNWIND_RA_AT_CFA)};
	if (unwind_code__is_clone(code))
		return unwind_code__was_called(registers, context);
	if ((adds && (added & 0x87)) || (__u8)(pops ? last >> 8 : last) != 0xc3)
		return false;
	*row = (struct unwind_row){
		.cfa_offset = (adds ? added / UNWIND_WORD : 0) + (pops ? 2 : 1),
		.fp_offset = pops ? 2 : 0,
		.rules = UNWIND_RULES(UNWIND_SP, pops ? UNWIND_FP_AT_CFA : UNWIND_FP_SAME,
				      UNWIND_RA_AT_CFA),
	};
	return true;
}

static inline __attribute__((always_inline)) enum unwind_bare
unwind_bare__find(const struct unwind_registers *registers, bool is_innermost, void *context,
		  void *rows, struct unwind_row *row)
{
	(void)is_innermost;
	(void)context;
	(void)rows;
	*row = UNWIND_FRAME_RECORD;
	return unwind_bare__may_have_record(registers) ? UNWIND_BARE_GUESS : UNWIND_BARE_NONE;
}

static inline __attribute__((always_inline)) bool
unwind_step__was_no_record(enum unwind_step step, const struct unwind_registers *registers,
			   void *context)
{
	(void)step;
	(void)registers;
	(void)context;
	return false;
}

#endif
#endif
