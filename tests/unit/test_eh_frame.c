// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs of call frame information, made by hand, become rows. The right rows are read off the
 * DWARF and LSB documents, not off the code.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "cfi_table.h"
#include "expect.h"

/* push %rbp; mov %rsp, %rbp; ...; leave; ret */
static void test_framed_function(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0x100, 0x40, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16,
		DW_CFA_offset | 6, 2, DW_CFA_advance_loc | 3, DW_CFA_def_cfa_register, 6,
		DW_CFA_advance_loc1, 0x3b, DW_CFA_def_cfa, 7, 8);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(nr_rows(), 6);
	EXPECT_EQ(row_at(0xff), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x100), SP(1));
	EXPECT_EQ(row_at(0x101), SP_SAVED(2, 2));
	EXPECT_EQ(row_at(0x103), SP_SAVED(2, 2));
	EXPECT_EQ(row_at(0x104), FP_SAVED(2, 2));
	EXPECT_EQ(row_at(0x13e), FP_SAVED(2, 2));
	EXPECT_EQ(row_at(0x13f), SP_SAVED(1, 2));
	EXPECT_EQ(row_at(0x140), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0xffffffff - TEXT), KIND(UNWIND_NONE));
}

static void test_function_without_instructions(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	put_fde(&image, cie, 0x10, 0x20, NULL, 0);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0x10), SP(1));
	EXPECT_EQ(row_at(0x2f), SP(1));
	EXPECT_EQ(row_at(0x30), KIND(UNWIND_NONE));
}

static void test_equal_rows_merge(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0x10, 0x10, DW_CFA_advance_loc | 4, DW_CFA_nop,
		DW_CFA_advance_loc | 4);
	PUT_FDE(&image, cie, 0x20, 0x10);
	PUT_FDE(&image, cie, 0x31, 0x10);
	EXPECT_EQ(build(), 0);
	/* nothing, both functions, the byte between, the third, nothing */
	EXPECT_EQ(nr_rows(), 5);
	EXPECT_EQ(row_at(0x2f), SP(1));
	EXPECT_EQ(row_at(0x30), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x31), SP(1));
}

static void test_remember_and_restore(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x100, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 32,
		DW_CFA_offset | 6, 4, DW_CFA_advance_loc | 1, DW_CFA_remember_state,
		DW_CFA_def_cfa_offset, 16, DW_CFA_remember_state, DW_CFA_restore | 6,
		DW_CFA_advance_loc | 1, DW_CFA_restore_state, DW_CFA_advance_loc | 1,
		DW_CFA_restore_state, DW_CFA_advance_loc2, 0x80, 0, DW_CFA_restore_extended, 6,
		DW_CFA_def_cfa_offset, 8);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(1), SP_SAVED(4, 4));
	EXPECT_EQ(row_at(2), SP(2));
	EXPECT_EQ(row_at(3), SP_SAVED(2, 4));
	EXPECT_EQ(row_at(4), SP_SAVED(4, 4));
	EXPECT_EQ(row_at(0x83), SP_SAVED(4, 4));
	EXPECT_EQ(row_at(0x84), SP(1));
}

/* Each instruction has an effect that shows if its operands were read wrong. */
static void test_every_instruction(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x20, DW_CFA_def_cfa_sf, 7, 0x7e, DW_CFA_advance_loc | 1,
		DW_CFA_def_cfa_offset_sf, 0x7d, DW_CFA_advance_loc | 1, DW_CFA_offset_extended, 6,
		3, DW_CFA_advance_loc | 1, DW_CFA_offset_extended_sf, 6, 0x7c,
		DW_CFA_advance_loc | 1, DW_CFA_offset_extended_sf, 6, 5, DW_CFA_advance_loc | 1,
		DW_CFA_GNU_negative_offset_extended, 6, 2);
	PUT_FDE(&image, cie, 0x20, 0x20, DW_CFA_GNU_args_size, 0x80, 1, DW_CFA_same_value, 6,
		DW_CFA_advance_loc | 1, DW_CFA_val_offset, 3, 1, DW_CFA_val_offset_sf, 3, 0x7f,
		DW_CFA_val_expression, 3, 2, DW_OP_lit0, DW_OP_lit1, DW_CFA_expression, 3, 1,
		DW_OP_lit0, DW_CFA_register, 3, 8, DW_CFA_undefined, 3, DW_CFA_GNU_window_save,
		DW_CFA_def_cfa_offset, 24, DW_CFA_advance_loc4, 2, 0, 0, 0, DW_CFA_undefined, 6,
		DW_CFA_advance_loc | 1, DW_CFA_register, 6, 9, DW_CFA_def_cfa_offset, 32);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(2));
	EXPECT_EQ(row_at(1), SP(3));
	EXPECT_EQ(row_at(2), SP_SAVED(3, 3));
	EXPECT_EQ(row_at(3), pack(3, 0, UNWIND_RULES(UNWIND_SP, UNWIND_FP_LOST, 0)));
	EXPECT_EQ(row_at(4), SP_SAVED(3, 5));
	EXPECT_EQ(row_at(5), pack(3, 0, UNWIND_RULES(UNWIND_SP, UNWIND_FP_LOST, 0)));
	EXPECT_EQ(row_at(0x20), SP(1));
	EXPECT_EQ(row_at(0x21), SP(3));
	EXPECT_EQ(row_at(0x23), pack(3, 0, UNWIND_RULES(UNWIND_SP, UNWIND_FP_LOST, 0)));
	EXPECT_EQ(row_at(0x24), pack(4, 0, UNWIND_RULES(UNWIND_SP, UNWIND_FP_LOST, 0)));
}

/*
 * vfork() has its return address in a register while the child has its stack; others keep theirs in
 * rdx, or elsewhere.
 */
static void test_return_address_in_register(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x10, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 0,
		DW_CFA_register, 16, 5, DW_CFA_advance_loc | 8, DW_CFA_def_cfa_offset, 8);
	PUT_FDE(&image, cie, 0x10, 0x10, DW_CFA_def_cfa_offset, 0, DW_CFA_register, 16, 1);
	PUT_FDE(&image, cie, 0x20, 0x10, DW_CFA_def_cfa_offset, 0, DW_CFA_register, 16, 2);
	PUT_FDE(&image, cie, 0x30, 0x10, DW_CFA_offset | 6, 2, DW_CFA_register, 16, 5);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(1), pack(0, 0, UNWIND_RULES(UNWIND_SP, UNWIND_FP_SAME, UNWIND_RA_LINK)));
	EXPECT_EQ(row_at(9), pack(1, 0, UNWIND_RULES(UNWIND_SP, UNWIND_FP_SAME, UNWIND_RA_LINK)));
	EXPECT_EQ(row_at(0x10),
		  pack(0, 1, UNWIND_RULES(UNWIND_SP, UNWIND_FP_SAME, UNWIND_RA_LINK)));
	EXPECT_EQ(row_at(0x20), pack(0, 0, UNWIND_OTHER));
	EXPECT_EQ(row_at(0x30), pack(0, 0, UNWIND_OTHER));
}

static void test_set_loc(void)
{
	uint8_t program[] = {DW_CFA_set_loc, 0, 0, 0, 0, DW_CFA_def_cfa_offset, 16};
	size_t cie, fde;
	int32_t distance;

	image_begin(&image);
	cie = put_usual_cie(&image);
	fde = put_fde(&image, cie, 0x40, 0x40, program, sizeof(program));
	/* length, id, start, range, augmentation size; then the operation; then the pointer */
	distance = (int32_t)(TEXT + 0x60) - (int32_t)(fde + 18);
	memcpy(image.bytes + fde + 18, &distance, 4);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0x40), SP(1));
	EXPECT_EQ(row_at(0x5f), SP(1));
	EXPECT_EQ(row_at(0x60), SP(2));
}

/* ---- Kinds of rows ---- */

#define PLT_EXPRESSION(limit)                                                                   \
	DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, \
		DW_OP_lit0 + (limit), DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus

static void test_plt(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x10, PLT_EXPRESSION(11));
	PUT_FDE(&image, cie, 0x10, 0x10, PLT_EXPRESSION(10));
	/* rsp + 16 in place of rsp + 8: not one that we know */
	PUT_FDE(&image, cie, 0x20, 0x10, DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 16,
		DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, DW_OP_lit11, DW_OP_ge, DW_OP_lit3,
		DW_OP_shl, DW_OP_plus);
	PUT_FDE(&image, cie, 0x30, 0x10, DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8,
		DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, DW_OP_lit16, DW_OP_ge, DW_OP_lit3,
		DW_OP_shl, DW_OP_plus);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), pack(11, 0, UNWIND_PLT));
	EXPECT_EQ(row_at(0x10), pack(10, 0, UNWIND_PLT));
	EXPECT_EQ(row_at(0x20), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x30), KIND(UNWIND_OTHER));
}

static void test_dereferenced_cfa(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x10, DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0x78, DW_OP_deref,
		DW_CFA_expression, 6, 2, DW_OP_breg6, 0);
	PUT_FDE(&image, cie, 0x10, 0x10, DW_CFA_def_cfa_expression, 6, DW_OP_breg7, 0x98, 1,
		DW_OP_deref, DW_OP_plus_uconst, 8);
	PUT_FDE(&image, cie, 0x20, 0x10, DW_CFA_def_cfa_expression, 5, DW_OP_breg7, 8, DW_OP_deref,
		DW_OP_plus_uconst, 16);
	PUT_FDE(&image, cie, 0x30, 0x10, DW_CFA_def_cfa_expression, 3, DW_OP_breg3, 8, DW_OP_deref);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), pack(-1, 0, UNWIND_RULES(UNWIND_FP_DEREF, UNWIND_FP_AT_FP, 0)));
	EXPECT_EQ(row_at(0x10), pack(19, 0, UNWIND_SP_DEREF_8));
	EXPECT_EQ(row_at(0x20), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x30), KIND(UNWIND_OTHER));
}

/*
 * The frame is that of glibc's __restore_rt, without the registers that unwinding does not follow.
 * Other machines have other registers.
 */
#ifdef __x86_64__
static void test_signal_frame(void)
{
	static const uint8_t encoding[] = {0x1b};
	static const uint8_t program[] = {DW_CFA_nop};
	size_t cie;

	image_begin(&image);
	cie = put_cie(&image, &(struct cie_parts){"zRS", encoding, 1, program, 1});
	PUT_FDE(&image, cie, 0, 0x10, DW_CFA_def_cfa_expression, 4, DW_OP_breg7, 0xa0, 1,
		DW_OP_deref, DW_CFA_expression, 6, 3, DW_OP_breg7, 0xf8, 0, DW_CFA_expression, 7, 3,
		DW_OP_breg7, 0xa0, 1, DW_CFA_expression, 16, 3, DW_OP_breg7, 0xa8, 1);
	PUT_FDE(&image, cie, 0x10, 0x10, DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), KIND(UNWIND_SIGNAL));
	EXPECT_EQ(row_at(0x10), KIND(UNWIND_OTHER));
}
#endif

static void test_end_of_stack(void)
{
	size_t cie;

	image_begin(&image);
	image.entry = TEXT + IMAGE_BIAS + 0x200;
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0x100, 0x10, DW_CFA_undefined, 16, DW_CFA_advance_loc | 4,
		DW_CFA_def_cfa_offset, 32);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0x100), KIND(UNWIND_END));
	EXPECT_EQ(row_at(0x10f), KIND(UNWIND_END));
	EXPECT_EQ(row_at(0x110), KIND(UNWIND_NONE));
	/* An entry that no FDE covers is outermost too, for a while. */
	EXPECT_EQ(row_at(0x1ff), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x200), KIND(UNWIND_END));
	EXPECT_EQ(row_at(0x23f), KIND(UNWIND_END));
	EXPECT_EQ(row_at(0x240), KIND(UNWIND_NONE));
}

/*
 * A function that saves rax leaves for handlers of exceptions at its end; a short one does so
 * everywhere.
 */
static void test_leaving(void)
{
	const unsigned int replaced =
		UNWIND_RULES(UNWIND_SP_UNSURE, UNWIND_FP_SAME, UNWIND_RA_AT_CFA);
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0x100, 0x200, DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 16,
		DW_CFA_offset | 0, 2, DW_CFA_advance_loc2, 0xf4, 1, DW_CFA_def_cfa_offset, 8);
	PUT_FDE(&image, cie, 0x400, 0x20, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 0, 2);
	PUT_FDE(&image, cie, 0x500, 0x20, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 3, 2);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0x103), SP(1));
	EXPECT_EQ(row_at(0x104), SP(2));
	EXPECT_EQ(row_at(0x23f), SP(2));
	EXPECT_EQ(row_at(0x240), pack(2, 0, replaced));
	EXPECT_EQ(row_at(0x2f8), pack(1, 0, replaced));
	EXPECT_EQ(row_at(0x2ff), pack(1, 0, replaced));
	EXPECT_EQ(row_at(0x300), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x400), pack(2, 0, replaced));
	EXPECT_EQ(row_at(0x500), SP(2));
}

/* An entry that an FDE covers has the row of the FDE. */
static void test_covered_entry(void)
{
	size_t cie;

	image_begin(&image);
	image.entry = TEXT + IMAGE_BIAS + 0x200;
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0x1f0, 0x20);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0x200), SP(1));
	EXPECT_EQ(row_at(0x210), KIND(UNWIND_NONE));
	/* This entry begins where an FDE ends. */
	image.entry = TEXT + IMAGE_BIAS + 0x210;
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(nr_rows(), 4);
	EXPECT_EQ(row_at(0x20f), SP(1));
	EXPECT_EQ(row_at(0x210), KIND(UNWIND_END));
	EXPECT_EQ(row_at(0x250), KIND(UNWIND_NONE));
}

/*
 * The first two of four stubs are the bytes of .plt, put together from the instruction set's
 * manual.
 */
static void build_stubs(const uint8_t *first, size_t nr_first, const uint8_t *second,
			size_t nr_second)
{
	image_begin(&image);
	PUT_FDE(&image, put_usual_cie(&image), 0, 0x10);
	memcpy(image.stubs, first, nr_first);
	memcpy(image.stubs + 16, second, nr_second);
	image.nr_stub_bytes = 64;
	EXPECT_EQ(build(), 0);
}

#define BUILD_STUBS(first, second) build_stubs(first, sizeof(first), second, sizeof(second))

static void test_stubs_without_frames(void)
{
	static const uint8_t jump[] = {0xff, 0x25, 1, 2, 3, 4, 0x68, 0, 0, 0, 0, 0xe9, 1, 2, 3, 4};
	static const uint8_t marked_jump[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 1, 2, 3, 4};
	static const uint8_t header[] = {0xff, 0x35, 1, 2, 3, 4, 0xff, 0x25, 1, 2, 3, 4};
	static const uint8_t marked_push[] = {0xf3, 0x0f, 0x1e, 0xfa, 0x68, 0, 0, 0, 0, 0xe9};
	const uint32_t plt = STUBS - TEXT;

	BUILD_STUBS(jump, jump);
	EXPECT_EQ(row_at(plt), SP(1));
	EXPECT_EQ(row_at(plt + 63), SP(1));
	EXPECT_EQ(row_at(plt + 64), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(plt - 1), KIND(UNWIND_NONE));
	BUILD_STUBS(marked_jump, marked_jump);
	EXPECT_EQ(row_at(plt + 4), SP(1));
	BUILD_STUBS(header, jump);
	EXPECT_EQ(row_at(plt), SP(2));
	EXPECT_EQ(row_at(plt + 6), SP(3));
	EXPECT_EQ(row_at(plt + 16), pack(11, 0, UNWIND_PLT));
	BUILD_STUBS(header, marked_push);
	EXPECT_EQ(row_at(plt + 16), pack(9, 0, UNWIND_PLT));
	/* Stubs of unknown kinds have no rows: better none than wrong ones. */
	BUILD_STUBS(header, header);
	EXPECT_EQ(row_at(plt), KIND(UNWIND_NONE));
	BUILD_STUBS(marked_push, marked_push);
	EXPECT_EQ(row_at(plt), KIND(UNWIND_NONE));
}

/* Where an FDE speaks about any of them, it speaks about all. */
static void test_stubs_with_frames(void)
{
	static const uint8_t jump[] = {0xff, 0x25};
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, STUBS - TEXT + 16, 0x10, DW_CFA_def_cfa_offset, 24);
	memcpy(image.stubs, jump, sizeof(jump));
	image.nr_stub_bytes = 64;
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(STUBS - TEXT), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(STUBS - TEXT + 16), SP(3));
	EXPECT_EQ(row_at(STUBS - TEXT + 32), KIND(UNWIND_NONE));
}

static void test_what_does_not_fit(void)
{
	const int lost = UNWIND_RULES(UNWIND_SP, UNWIND_FP_LOST, 0);
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x10, DW_CFA_def_cfa_offset, 12);
	PUT_FDE(&image, cie, 0x10, 0x10, DW_CFA_def_cfa_offset, 0xf8, 0xff, 0xf);  /* 262136 */
	PUT_FDE(&image, cie, 0x20, 0x10, DW_CFA_def_cfa_offset, 0x80, 0x80, 0x10); /* 262144 */
	PUT_FDE(&image, cie, 0x90, 0x10, DW_CFA_def_cfa_offset, 0x80, 0x80, 0x20); /* 524288 */
	PUT_FDE(&image, cie, 0xa0, 0x10, DW_CFA_def_cfa_offset, 0xf8, 0xff, 0x2f); /* 786424 */
	PUT_FDE(&image, cie, 0xb0, 0x10, DW_CFA_def_cfa_offset, 0x80, 0x80, 0x30); /* 786432 */
	PUT_FDE(&image, cie, 0xd0, 0x10, DW_CFA_def_cfa_offset, 0x88, 0xea, 0x30, DW_CFA_offset | 6,
		2); /* 800008 */
	PUT_FDE(&image, cie, 0xe0, 0x10, DW_CFA_def_cfa_offset, 0xf8, 0xff, 0x8f, 8,
		DW_CFA_offset | 6, 8); /* 17039352 */
	PUT_FDE(&image, cie, 0xc0, 0x10, DW_CFA_def_cfa, 6, 0x80, 0x80, 0x10);
	PUT_FDE(&image, cie, 0x30, 0x10, DW_CFA_offset | 6, 0xff, 1);
	PUT_FDE(&image, cie, 0x40, 0x10, DW_CFA_offset | 6, 0x80, 2);
	PUT_FDE(&image, cie, 0x50, 0x10, DW_CFA_def_cfa, 0, 8);
	PUT_FDE(&image, cie, 0x60, 0x10, DW_CFA_offset | 16, 2);
	PUT_FDE(&image, cie, 0x70, 0x10, DW_CFA_same_value, 16);
	/* An expression has no offset that a register could be added to. */
	PUT_FDE(&image, cie, 0x80, 0x10, PLT_EXPRESSION(11), DW_CFA_def_cfa_register, 7);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x10), SP(32767));
	EXPECT_EQ(row_at(0x20), pack(-32768, 0, UNWIND_SP_FAR));
	EXPECT_EQ(row_at(0x90), pack(0, 0, UNWIND_SP_FAR));
	EXPECT_EQ(row_at(0xa0), pack(32767, 0, UNWIND_SP_FAR));
	EXPECT_EQ(row_at(0xb0), pack(-32768, 1 << 3, UNWIND_SP_FAR));
	EXPECT_EQ(row_at(0xd0),
		  pack(-31071, 1 << 3 | 2, UNWIND_RULES(UNWIND_SP_FAR, UNWIND_FP_AT_CFA, 0)));
	EXPECT_EQ(row_at(0xe0),
		  pack(32767, 31 << 3, UNWIND_RULES(UNWIND_SP_FAR, UNWIND_FP_LOST, 0)));
	EXPECT_EQ(row_at(0xc0), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x30), SP_SAVED(1, 255));
	EXPECT_EQ(row_at(0x40), pack(1, 0, lost));
	EXPECT_EQ(row_at(0x50), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x60), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x70), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x80), KIND(UNWIND_OTHER));
}

static void test_vast_frames(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x10, DW_CFA_def_cfa_offset, 0x80, 0x80, 0x90, 8); /* 17039360 */
	PUT_FDE(&image, cie, 0x10, 0x10, DW_CFA_def_cfa_offset, 0x88, 0x80, 0x90, 8);
	PUT_FDE(&image, cie, 0x20, 0x10, DW_CFA_def_cfa_offset, 0x90, 0x80, 0x80, 10,
		DW_CFA_offset | 6, 2); /* 20971536 */
	PUT_FDE(&image, cie, 0x30, 0x10, DW_CFA_def_cfa_offset, 0x90, 0x80, 0x80, 10,
		DW_CFA_offset | 6, 8);
	/* 34078704, whose fp has room; from 34078720 on it is lost, up to 268959728 */
	PUT_FDE(&image, cie, 0x40, 0x10, DW_CFA_def_cfa_offset, 0xf0, 0xff, 0x9f, 16,
		DW_CFA_offset | 6, 2);
	PUT_FDE(&image, cie, 0x50, 0x10, DW_CFA_def_cfa_offset, 0x80, 0x80, 0xa0, 16,
		DW_CFA_offset | 6, 2);
	PUT_FDE(&image, cie, 0x60, 0x10, DW_CFA_def_cfa_offset, 0xf0, 0xff, 0x9f, 0x80, 1);
	PUT_FDE(&image, cie, 0x70, 0x10, DW_CFA_def_cfa_offset, 0x80, 0x80, 0xa0, 0x80, 1);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), pack(16384, 15, UNWIND_SP_VAST));
	EXPECT_EQ(row_at(0x10), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x20),
		  pack(1, 19 << 3 | 2, UNWIND_RULES(UNWIND_SP_VAST, UNWIND_FP_AT_CFA, 0)));
	EXPECT_EQ(row_at(0x30), pack(1, 19, UNWIND_RULES(UNWIND_SP_VAST, UNWIND_FP_LOST, 0)));
	EXPECT_EQ(row_at(0x40),
		  pack(32767, 31 << 3 | 2, UNWIND_RULES(UNWIND_SP_VAST, UNWIND_FP_AT_CFA, 0)));
	EXPECT_EQ(row_at(0x50), pack(-32768, 32, UNWIND_RULES(UNWIND_SP_VAST, UNWIND_FP_LOST, 0)));
	EXPECT_EQ(row_at(0x60), pack(32767, 255, UNWIND_SP_VAST));
	EXPECT_EQ(row_at(0x70), KIND(UNWIND_OTHER));
}

/* stp x29, x30, [sp, -32]!; a leaf; a function that saves x30 alone */
static void test_aarch64(void)
{
	static const uint8_t encoding[] = {0x1b};
	static const uint8_t program[] = {DW_CFA_def_cfa, 31, 0};
	size_t cie;

	image_begin(&image);
	image.machine = EM_AARCH64;
	cie = put_cie(&image, &(struct cie_parts){"zRB", encoding, 1, program, 3});
	PUT_FDE(&image, cie, 0, 0x20, DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 32,
		DW_CFA_offset | 29, 4, DW_CFA_offset | 30, 3, DW_CFA_advance_loc | 4,
		DW_CFA_def_cfa_register, 29);
	PUT_FDE(&image, cie, 0x20, 0x20, DW_CFA_GNU_window_save, DW_CFA_advance_loc | 4,
		DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 30, 2);
	PUT_FDE(&image, cie, 0x40, 0x20, DW_CFA_def_cfa_offset, 32, DW_CFA_offset | 29, 4,
		DW_CFA_offset | 30, 2);
	/* Records at the bottom of frames of 4 KB, below sp and below fp. */
	PUT_FDE(&image, cie, 0x60, 0x10, DW_CFA_def_cfa_offset, 0x80, 0x20, DW_CFA_offset_extended,
		29, 0x80, 4, DW_CFA_offset_extended, 30, 0xff, 3);
	PUT_FDE(&image, cie, 0x70, 0x10, DW_CFA_def_cfa, 29, 0x80, 0x20, DW_CFA_offset_extended, 29,
		0x80, 4, DW_CFA_offset_extended, 30, 0xff, 3);
	/* As glibc's function for lazy binding, which the stub pushed two words before. */
	PUT_FDE(&image, cie, 0x80, 0x10, DW_CFA_def_cfa_offset, 32, DW_CFA_offset_extended_sf, 30,
		0x7f);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), pack(0, 0, UNWIND_RULES(UNWIND_SP, UNWIND_FP_SAME, UNWIND_RA_LINK)));
	EXPECT_EQ(row_at(4),
		  pack(4, 4, UNWIND_RULES(UNWIND_SP, UNWIND_FP_AT_CFA, UNWIND_RA_BESIDE)));
	EXPECT_EQ(row_at(8),
		  pack(4, 4, UNWIND_RULES(UNWIND_FP, UNWIND_FP_AT_CFA, UNWIND_RA_BESIDE)));
	EXPECT_EQ(row_at(0x24),
		  pack(2, 3, UNWIND_RULES(UNWIND_SP, UNWIND_FP_SAME, UNWIND_RA_BESIDE)));
	EXPECT_EQ(row_at(0x40),
		  pack(4, 2, UNWIND_RULES(UNWIND_SP, UNWIND_FP_LOST, UNWIND_RA_ABOVE_SP)));
	EXPECT_EQ(row_at(0x60),
		  pack(512, 1, UNWIND_RULES(UNWIND_SP, UNWIND_FP_AT_CFA, UNWIND_RA_ABOVE_SP)));
	EXPECT_EQ(row_at(0x70),
		  pack(512, 0, UNWIND_RULES(UNWIND_FP, UNWIND_FP_AT_FP, UNWIND_RA_BESIDE)));
	EXPECT_EQ(row_at(0x80),
		  pack(6, 0, UNWIND_RULES(UNWIND_SP, UNWIND_FP_SAME, UNWIND_RA_AT_CFA)));
}

static void test_forget(void)
{
	unwind_table__free(table);
	table = NULL;
	unwind_table__free(NULL);
}

int main(void)
{
	static const struct test tests[] = {
		{"a function with a frame pointer", test_framed_function},
		{"a function without instructions", test_function_without_instructions},
		{"equal rows merge, gaps stay", test_equal_rows_merge},
		{"remember, restore", test_remember_and_restore},
		{"every instruction's operands", test_every_instruction},
		{"a return address in a register", test_return_address_in_register},
		{"set_loc", test_set_loc},
		{"PLT expressions", test_plt},
		{"a CFA in memory", test_dereferenced_cfa},
#ifdef __x86_64__
		{"a signal frame", test_signal_frame},
#endif
		{"the end of the stack", test_end_of_stack},
		{"functions that leave for handlers", test_leaving},
		{"an entry with an FDE", test_covered_entry},
		{"PLT stubs without frames", test_stubs_without_frames},
		{"PLT stubs with frames", test_stubs_with_frames},
		{"what does not fit a row", test_what_does_not_fit},
		{"frames of more than 16 MB", test_vast_frames},
		{"aarch64", test_aarch64},
		{"nothing is left", test_forget},
		{0},
	};

	return run_tests("eh_frame", tests);
}
