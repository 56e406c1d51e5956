// SPDX-License-Identifier: GPL-2.0-only
/*
 * From call frame information made by hand to rows. What the rows must be is read off the DWARF and
 * LSB documents, not off the code.
 */
#include "topstacks/unwind.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "cfi_image.h"
#include "expect.h"

static struct image image;
static struct unwind_table *table;

static int build(void)
{
	unwind_table__free(table);
	table = NULL;
	image_end(&image);
	return unwind_table__build_image(image.bytes, sizeof(image.bytes), &table);
}

/* A row but for its pc, as one number that fails legibly: cfa_offset, fp_offset, rules. */
static long long pack(int cfa_offset, int fp_offset, int rules)
{
	return (long long)cfa_offset * 65536 + fp_offset * 256 + rules;
}

static long long row_at(uint32_t pc)
{
	/* The table's base is the text's address rounded down to 64 KB; see test_locate. */
	const struct unwind_row *row = table ? unwind_table__find(table, TEXT + pc) : NULL;

	return row ? pack(row->cfa_offset, row->fp_offset, row->rules) : -1;
}

static uint32_t nr_rows(void)
{
	uint32_t nr = 0;

	if (table)
		unwind_table__rows(table, &nr);
	return nr;
}

#define KIND(kind)     pack(0, 0, kind)
#define SP(n)	       pack(n, 0, UNWIND_SP)
#define SP_SAVED(n, m) pack(n, m, UNWIND_RULES(UNWIND_SP, UNWIND_FP_AT_CFA, 0))
#define FP_SAVED(n, m) pack(n, m, UNWIND_RULES(UNWIND_FP, UNWIND_FP_AT_CFA, 0))

/* ---- Programs ---- */

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

/* Each with an effect that shows if its operands were read wrong. */
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

/* As glibc's __restore_rt has it, but for the registers that nobody follows. */
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

/* An entry that an FDE covers is what the FDE says. */
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
	/* One that begins where an FDE ends. */
	image.entry = TEXT + IMAGE_BIAS + 0x210;
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(nr_rows(), 4);
	EXPECT_EQ(row_at(0x20f), SP(1));
	EXPECT_EQ(row_at(0x210), KIND(UNWIND_END));
	EXPECT_EQ(row_at(0x250), KIND(UNWIND_NONE));
}

/* The first two stubs of four; what .plt holds, put together from the instruction set's manual. */
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
	/* Of kinds that nobody knows: better nothing than something wrong. */
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
	EXPECT_EQ(row_at(0x20), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x30), SP_SAVED(1, 255));
	EXPECT_EQ(row_at(0x40), pack(1, 0, lost));
	EXPECT_EQ(row_at(0x50), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x60), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x70), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x80), KIND(UNWIND_OTHER));
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
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), pack(0, 0, UNWIND_RULES(UNWIND_SP, UNWIND_FP_SAME, UNWIND_RA_LINK)));
	EXPECT_EQ(row_at(4),
		  pack(4, 4, UNWIND_RULES(UNWIND_SP, UNWIND_FP_AT_CFA, UNWIND_RA_BESIDE)));
	EXPECT_EQ(row_at(8),
		  pack(4, 4, UNWIND_RULES(UNWIND_FP, UNWIND_FP_AT_CFA, UNWIND_RA_BESIDE)));
	EXPECT_EQ(row_at(0x24),
		  pack(2, 3, UNWIND_RULES(UNWIND_SP, UNWIND_FP_SAME, UNWIND_RA_BESIDE)));
	EXPECT_EQ(row_at(0x40), KIND(UNWIND_OTHER));
}

/* ---- Records ---- */

/* An FDE with pointers of any encoding; bytes is the size of its range. */
static void put_fde_encoded(size_t cie, uint64_t pointer, size_t bytes)
{
	size_t at = record_begin(&image);

	put_cie_reference(&image, cie);
	put(&image, pointer, bytes);
	put(&image, 0x10, bytes);
	put(&image, 0, 1);
	record_end(&image, at);
}

static size_t put_cie_encoded(uint8_t encoding)
{
	static const uint8_t program[] = {0x0c, 7, 8, 0x80 | 16, 1};

	return put_cie(&image, &(struct cie_parts){"zR", &encoding, 1, program, sizeof(program)});
}

static uint64_t distance_to(uint64_t pc)
{
	/* From where the pointer will be: after length and CIE reference. */
	return IMAGE_BIAS + TEXT + pc - (here(&image) + 8);
}

static void test_encodings(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_cie_encoded(DW_EH_PE_absptr);
	put_fde_encoded(cie, IMAGE_BIAS + TEXT, 8);
	cie = put_cie_encoded(DW_EH_PE_udata4);
	put_fde_encoded(cie, IMAGE_BIAS + TEXT + 0x20, 4);
	cie = put_cie_encoded(DW_EH_PE_pcrel | DW_EH_PE_sdata8);
	put_fde_encoded(cie, distance_to(0x40), 8);
	cie = put_cie_encoded(DW_EH_PE_pcrel | DW_EH_PE_sdata2);
	put_fde_encoded(cie, distance_to(0x60), 2);
	cie = put_cie_encoded(DW_EH_PE_pcrel | DW_EH_PE_udata8);
	put_fde_encoded(cie, distance_to(0x80), 8);
	/* Through a pointer, and relative to what no machine of ours has: left out. */
	cie = put_cie_encoded(DW_EH_PE_indirect | DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	put_fde_encoded(cie, distance_to(0xa0), 4);
	cie = put_cie_encoded(DW_EH_PE_datarel | DW_EH_PE_sdata4);
	put_fde_encoded(cie, distance_to(0xc0), 4);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(0x10), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x2f), SP(1));
	EXPECT_EQ(row_at(0x40), SP(1));
	EXPECT_EQ(row_at(0x6f), SP(1));
	EXPECT_EQ(row_at(0x80), SP(1));
	EXPECT_EQ(nr_rows(), 11);
}

static void test_augmentations(void)
{
	static const uint8_t program[] = {0x0c, 7, 8, 0x80 | 16, 1};
	/* personality: indirect pcrel sdata4; LSDA encoding; pointer encoding */
	static const uint8_t zplr[] = {0x9b, 1, 2, 3, 4, 0x1b, 0x1b};
	static const uint8_t unknown[] = {1, 2, 3, 4};
	size_t cie;

	image_begin(&image);
	cie = put_cie(&image, &(struct cie_parts){"zPLR", zplr, sizeof(zplr), program, 5});
	PUT_FDE(&image, cie, 0, 0x10);
	/* A letter that nobody knows: how its FDEs' pointers look may be after it. */
	cie = put_cie(&image, &(struct cie_parts){"zQR", unknown, 4, program, 5});
	PUT_FDE(&image, cie, 0x20, 0x10);
	/* Without 'z' nothing is known about what follows. */
	cie = put_cie(&image, &(struct cie_parts){"Q", NULL, 0, program, 5});
	PUT_FDE(&image, cie, 0x40, 0x10);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(0x20), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x40), KIND(UNWIND_NONE));
}

static void test_order_and_overlap(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0x100, 0x10, DW_CFA_def_cfa_offset, 24);
	PUT_FDE(&image, cie, 0x20, 0x40, DW_CFA_def_cfa_offset, 16, DW_CFA_advance_loc | 0x30,
		DW_CFA_def_cfa_offset, 48);
	PUT_FDE(&image, cie, 0x40, 0x8, DW_CFA_def_cfa_offset, 32);
	PUT_FDE(&image, cie, 0x0, 0x10);
	PUT_FDE(&image, cie, 0x100, 0x4, DW_CFA_def_cfa_offset, 64);
	PUT_FDE(&image, cie, 0x180, 0); /* no code at all */
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(0x10), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x3f), SP(2));
	/* The last to start speaks; where it ends, nobody does. */
	EXPECT_EQ(row_at(0x40), SP(4));
	EXPECT_EQ(row_at(0x48), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x50), KIND(UNWIND_NONE));
	EXPECT_EQ(nr_rows(), 8);
	/* Of two that start together, the longer one. */
	EXPECT_EQ(row_at(0x100), SP(3));
	EXPECT_EQ(row_at(0x10f), SP(3));
	EXPECT_EQ(row_at(0x180), KIND(UNWIND_NONE));
}

static void test_code_outside_the_text(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, (uint32_t)-0x10, 0x20);
	PUT_FDE(&image, cie, TEXT_BYTES - 8, 0x1000);
	PUT_FDE(&image, cie, TEXT_BYTES, 0x10);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(TEXT_BYTES - 8), SP(1));
	EXPECT_EQ(row_at(TEXT_BYTES), KIND(UNWIND_NONE));
}

static void test_terminators_inside(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x10);
	put(&image, 0, 4);
	put(&image, 0, 4);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0x20, 0x10);
	put(&image, 0, 4);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0x20), SP(1));
	/* Without section headers nobody knows what is after the first. */
	image.without_sections = true;
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(0x20), KIND(UNWIND_NONE));
}

static void test_long_lengths(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	put(&image, UINT32_MAX, 4);
	put(&image, 4 + 4 + 4 + 1 + 2, 8);
	put_cie_reference(&image, cie);
	put(&image, IMAGE_BIAS + TEXT - here(&image), 4);
	put(&image, 0x10, 4);
	put(&image, 0, 1);
	put(&image, DW_CFA_def_cfa_offset, 1);
	put(&image, 16, 1);
	PUT_FDE(&image, cie, 0x20, 0x10);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(2));
	EXPECT_EQ(row_at(0x20), SP(1));
}

/* Version 4; the FDE is before its CIE; pointers are absolute; a second pair in 64 bits. */
static void test_debug_frame(void)
{
	static const uint8_t cie_body[] = {4, 0, 8, 0, 1, 0x78, 16, 0x0c, 7, 8, 0x80 | 16, 1};
	size_t at;

	image_begin(&image);
	image.is_debug = true;
	at = record_begin(&image);
	put(&image, 4 + 4 + 16, 4); /* the CIE's offset: after this record */
	put(&image, IMAGE_BIAS + TEXT, 8);
	put(&image, 0x10, 8);
	record_end(&image, at);
	at = record_begin(&image);
	put(&image, UINT32_MAX, 4);
	put_bytes(&image, cie_body, sizeof(cie_body));
	record_end(&image, at);

	at = image.at;
	put(&image, UINT32_MAX, 4);
	put(&image, 8 + sizeof(cie_body), 8);
	put(&image, UINT64_MAX, 8);
	put_bytes(&image, cie_body, sizeof(cie_body));
	put(&image, UINT32_MAX, 4);
	put(&image, 8 + 16 + 2, 8);
	put(&image, at - FRAMES, 8);
	put(&image, IMAGE_BIAS + TEXT + 0x20, 8);
	put(&image, 0x10, 8);
	put(&image, DW_CFA_def_cfa_offset, 1);
	put(&image, 48, 1);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(0x10), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x20), SP(6));
	EXPECT_EQ(row_at(0x30), KIND(UNWIND_NONE));
}

/* ---- Damage ---- */

static void test_damaged_programs(void)
{
	struct unwind_summary summary = {0};
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x10, DW_CFA_advance_loc | 8, 0x3f); /* no such instruction */
	PUT_FDE(&image, cie, 0x10, 0x10, DW_CFA_restore_state);
	PUT_FDE(&image, cie, 0x20, 0x10, DW_CFA_def_cfa_offset, 0x80); /* a number without end */
	PUT_FDE(&image, cie, 0x30, 0x10, DW_CFA_def_cfa_offset, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
		0x80, 0x80, 0x80, 0x80, 1); /* a number of more than 64 bits */
	PUT_FDE(&image, cie, 0x40, 0x10, DW_CFA_def_cfa_expression, 100, DW_OP_breg7, 8);
	PUT_FDE(&image, cie, 0x50, 0x10, DW_CFA_offset_extended, 6, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff, 0);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(8), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x10), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x20), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x30), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x40), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x50), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x60), KIND(UNWIND_NONE));
	unwind_table__summary(table, &summary);
	EXPECT_EQ(summary.nr_functions, 6);
	EXPECT_EQ(summary.nr_damaged, 6);
	EXPECT_EQ(summary.nr_other, 1); /* they touch */
}

/* Instructions that no CIE can have: all that its FDEs could say is in doubt. */
static void test_damaged_cie(void)
{
	static const uint8_t encoding[] = {0x1b};
	static const uint8_t restores[] = {0x0c, 7, 8, 0x80 | 16, 1, DW_CFA_restore | 6};
	static const uint8_t advances[] = {0x0c, 7, 8, 0x80 | 16, 1, DW_CFA_advance_loc | 6};
	struct unwind_summary summary = {0};
	size_t cie;

	image_begin(&image);
	cie = put_cie(&image, &(struct cie_parts){"zR", encoding, 1, restores, sizeof(restores)});
	PUT_FDE(&image, cie, 0, 0x10);
	cie = put_cie(&image, &(struct cie_parts){"zR", encoding, 1, advances, sizeof(advances)});
	PUT_FDE(&image, cie, 0x20, 0x10);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x10), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x20), KIND(UNWIND_OTHER));
	unwind_table__summary(table, &summary);
	EXPECT_EQ(summary.nr_damaged, 4); /* CIEs and FDEs */
}

static void test_deep_remembering(void)
{
	uint8_t program[40];
	size_t cie;

	memset(program, DW_CFA_remember_state, sizeof(program));
	image_begin(&image);
	cie = put_usual_cie(&image);
	put_fde(&image, cie, 0, 0x10, program, 16);
	put_fde(&image, cie, 0x10, 0x10, program, 17);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(0x10), KIND(UNWIND_OTHER));
}

/* However far it says to go, an FDE stays inside itself. */
static void test_advance_beyond_the_end(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x10, DW_CFA_advance_loc4, 0xff, 0xff, 0xff, 0xff,
		DW_CFA_def_cfa_offset, 16, DW_CFA_advance_loc4, 0xff, 0xff, 0xff, 0xff);
	PUT_FDE(&image, cie, 0x20, 0x10, DW_CFA_def_cfa_offset, 32);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0xf), SP(1));
	EXPECT_EQ(row_at(0x10), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x20), SP(4));
}

static void test_damaged_records(void)
{
	struct unwind_summary summary = {0};
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x10);
	PUT_FDE(&image, cie + 4, 0x20, 0x10); /* refers to no CIE */
	PUT_FDE(&image, cie, 0x40, 0x10);
	put(&image, 0x7fffffff, 4); /* longer than the section */
	PUT_FDE(&image, cie, 0x60, 0x10);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(0x20), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x40), SP(1));
	EXPECT_EQ(row_at(0x60), KIND(UNWIND_NONE));
	unwind_table__summary(table, &summary);
	EXPECT_EQ(summary.nr_damaged, 2);
}

/* Every image that is cut short or has one byte wrong gives a table or an error, and rows in order.
 */
static void test_every_byte_wrong(void)
{
	const struct unwind_row *rows;
	uint32_t nr, i;
	size_t end, at;

	test_remember_and_restore();
	end = image.at;
	for (at = 0; at < end; at = at == 0x200 ? FRAMES : at + 1) {
		image.bytes[at] ^= 0x5a;
		unwind_table__free(table);
		table = NULL;
		unwind_table__build_image(image.bytes, sizeof(image.bytes), &table);
		image.bytes[at] ^= 0x5a;
		if (!table)
			continue;
		rows = unwind_table__rows(table, &nr);
		EXPECT(nr > 0 && rows[0].pc == 0);
		for (i = 1; i < nr; i++)
			EXPECT(rows[i - 1].pc < rows[i].pc);
	}
	for (at = 0; at < sizeof(image.bytes); at += 61) {
		unwind_table__free(table);
		table = NULL;
		unwind_table__build_image(image.bytes, at, &table);
	}
}

/* ---- Files ---- */

static void test_refused_files(void)
{
	struct unwind_table *none = NULL;
	size_t cie;

	image_begin(&image);
	EXPECT_EQ(build(), -ENOENT); /* an empty section */
	cie = put_usual_cie(&image);
	EXPECT_EQ(build(), -ENOENT); /* a CIE alone */
	PUT_FDE(&image, cie, 0, 0x10);
	image.machine = EM_386;
	EXPECT_EQ(build(), -ENOTSUP);
	image.machine = EM_X86_64;
	image_end(&image);
	image.bytes[EI_DATA] = ELFDATA2MSB;
	EXPECT(unwind_table__build_image(image.bytes, sizeof(image.bytes), &none) < 0);
	image.bytes[0] = 'x';
	EXPECT_EQ(unwind_table__build_image(image.bytes, sizeof(image.bytes), &none), -EBADMSG);
	EXPECT_EQ(unwind_table__build_image("", 0, &none), -EBADMSG);
	EXPECT(unwind_table__build(-1, &none) < 0);
	EXPECT(!none);
}

static void test_locate(void)
{
	Elf64_Phdr *segments;
	int64_t pc = -1;
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x10);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(unwind_table__base(table), IMAGE_BIAS);
	EXPECT_EQ(unwind_table__locate(table, TEXT, &pc), 0);
	EXPECT_EQ(pc, TEXT);
	EXPECT_EQ(unwind_table__locate(table, TEXT + 0x800, &pc), 0);
	EXPECT_EQ(pc, TEXT + 0x800);
	EXPECT_EQ(unwind_table__locate(table, TEXT + TEXT_BYTES, &pc), -ENOENT);
	EXPECT_EQ(unwind_table__locate(table, 0, &pc), -ENOENT);
	/* The whole page in which a segment begins is mapped, but another segment's bytes are its
	 * own. */
	EXPECT_EQ(unwind_table__locate(table, TEXT - 1, &pc), 0);
	EXPECT_EQ(pc, TEXT - 1);
	segments = (Elf64_Phdr *)(image.bytes + sizeof(Elf64_Ehdr));
	segments[0].p_filesz = 0xf00;
	segments[1] = (Elf64_Phdr){.p_type = PT_LOAD,
				   .p_flags = PF_R | PF_X,
				   .p_offset = FRAMES - 0x80,
				   .p_vaddr = FRAMES - 0x80 + 2 * IMAGE_BIAS,
				   .p_filesz = 0x1000,
				   .p_memsz = 0x1000};
	unwind_table__free(table);
	table = NULL;
	EXPECT_EQ(unwind_table__build_image(image.bytes, sizeof(image.bytes), &table), 0);
	EXPECT_EQ(unwind_table__locate(table, TEXT, &pc), 0);
	EXPECT_EQ(pc, TEXT);
	EXPECT_EQ(unwind_table__locate(table, FRAMES, &pc), 0);
	EXPECT_EQ(pc, FRAMES + IMAGE_BIAS);
	EXPECT_EQ(unwind_table__locate(table, TEXT + 0xf10, &pc), 0);
	EXPECT_EQ(pc, TEXT + 0xf10 + IMAGE_BIAS);
	EXPECT_EQ(unwind_table__find(table, TEXT + 1)->pc, TEXT);
	EXPECT_EQ(unwind_table__find(table, UINT64_MAX)->rules, UNWIND_NONE);
}

/* A large section of many small functions is one table; one row too many is none. */
static void test_too_many_rows(void)
{
	static const uint8_t up_and_down[] = {DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16,
					      DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 8};
	const size_t nr_program = (size_t)UNWIND_MAX_ROWS * 3 + 600, nr_bytes = nr_program + 0x8000;
	uint8_t *large = calloc(1, nr_bytes);
	Elf64_Phdr *headers;
	Elf64_Shdr *sections;
	uint32_t length;
	size_t at, i;

	EXPECT(large != NULL);
	if (!large)
		return;
	image_begin(&image);
	at = put_fde(&image, put_usual_cie(&image), 0, UNWIND_MAX_ROWS + 1000, NULL, 0);
	image_end(&image);
	memcpy(large, image.bytes, sizeof(image.bytes));
	headers = (Elf64_Phdr *)(large + sizeof(Elf64_Ehdr));
	headers[0].p_filesz = headers[0].p_memsz = nr_bytes - TEXT;
	sections = (Elf64_Shdr *)(large + SECTIONS);
	sections[1].sh_offset = 0x7000;
	memcpy(large + 0x7000, image.bytes + FRAMES, image.at - FRAMES);
	length = (uint32_t)(image.at - at - 4 + nr_program);
	memcpy(large + 0x7000 + at - FRAMES, &length, 4);
	sections[1].sh_size = image.at - FRAMES + nr_program;
	for (i = 0; i < nr_program; i += sizeof(up_and_down))
		memcpy(large + 0x7000 + image.at - FRAMES + i, up_and_down, sizeof(up_and_down));
	unwind_table__free(table);
	table = NULL;
	EXPECT_EQ(unwind_table__build_image(large, nr_bytes, &table), -E2BIG);
	free(large);
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
		{"set_loc", test_set_loc},
		{"PLT expressions", test_plt},
		{"a CFA in memory", test_dereferenced_cfa},
		{"a signal frame", test_signal_frame},
		{"the end of the stack", test_end_of_stack},
		{"an entry with an FDE", test_covered_entry},
		{"PLT stubs without frames", test_stubs_without_frames},
		{"PLT stubs with frames", test_stubs_with_frames},
		{"what does not fit a row", test_what_does_not_fit},
		{"aarch64", test_aarch64},
		{"pointer encodings", test_encodings},
		{"augmentations", test_augmentations},
		{"unsorted and overlapping FDEs", test_order_and_overlap},
		{"code outside the text", test_code_outside_the_text},
		{"terminators inside", test_terminators_inside},
		{"64-bit lengths", test_long_lengths},
		{".debug_frame", test_debug_frame},
		{"damaged programs", test_damaged_programs},
		{"damaged CIEs", test_damaged_cie},
		{"remembering too deep", test_deep_remembering},
		{"an advance beyond the end", test_advance_beyond_the_end},
		{"damaged records", test_damaged_records},
		{"every byte wrong once", test_every_byte_wrong},
		{"refused files", test_refused_files},
		{"from file offsets to pcs", test_locate},
		{"too many rows", test_too_many_rows},
		{"nothing is left", test_forget},
		{0},
	};

	return run_tests("eh_frame", tests);
}
