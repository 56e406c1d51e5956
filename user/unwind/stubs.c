// SPDX-License-Identifier: GPL-2.0-only
/*
 * PLT stubs without call frame information: lld gives them none, and no linker gives any to the
 * stubs of a static program's IFUNCs, or on aarch64. Their first bytes tell what they do to the
 * stack.
 *
 *	ff 25 ....			jmp *got		nothing, ever
 *	f3 0f 1e fa ff 25 ....		endbr64; jmp *got	nothing, ever
 *	ff 35 .... ff 25 ....		push got+8; jmp *got+16	the first of the lazily bound; then
 *	  ff 25 .... 68 .... e9 ....	jmp *got; push n; jmp	    one word more from byte 11 on
 *	  f3 0f 1e fa 68 .... e9 ....	endbr64; push n; jmp	    one word more from byte 9 on
 *
 * aarch64, each of which may begin with bti c:
 *
 *	stp x16, x30, [sp, #-16]!	the first of the lazily bound: two words, for the rest of it
 *	  ... adrp x16; ldr x17; br x17	    then nothing
 *	adrp x16, page			nothing, ever
 */
#include "unwind/cfi.h"

#include <dwarf.h>

static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};

/* As GNU ld describes them. */
#define LAZY(threshold)                                                                         \
	{                                                                                       \
		DW_CFA_def_cfa_offset, 16, DW_CFA_advance_loc | 6, DW_CFA_def_cfa_offset, 24,   \
			DW_CFA_advance_loc | 10, DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, \
			DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, DW_OP_lit0 + (threshold),      \
			DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus                             \
	}

static const uint8_t lazy[] = LAZY(11);
static const uint8_t lazy_ibt[] = LAZY(9);

/* PLT0, in 32 bytes. */
static const uint8_t lazy_aarch64[] = {
	DW_CFA_advance_loc | 4,	 DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 30, 1,
	DW_CFA_advance_loc | 28, DW_CFA_def_cfa_offset, 0,  DW_CFA_restore | 30};
static const uint8_t lazy_aarch64_bti[] = {
	DW_CFA_advance_loc | 8,	 DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 30, 1,
	DW_CFA_advance_loc | 24, DW_CFA_def_cfa_offset, 0,  DW_CFA_restore | 30};

#define AARCH64_BTI_C 0xd503245f
#define AARCH64_STP   0xa9bf7bf0 /* stp x16, x30, [sp, #-16]! */

static uint32_t word_at(const uint8_t *code)
{
	return code[0] | code[1] << 8 | code[2] << 16 | (uint32_t)code[3] << 24;
}

static bool recognize_aarch64(const struct cfi_stubs *stubs, struct cfi_fde *fde)
{
	const bool has_bti = word_at(stubs->code) == AARCH64_BTI_C;
	const uint32_t first = word_at(stubs->code + (has_bti ? 4 : 0));

	fde->program = has_bti ? lazy_aarch64_bti : lazy_aarch64;
	fde->program_bytes = first == AARCH64_STP ? sizeof(lazy_aarch64) : 0;
	return fde->program_bytes || (first & 0x9f00001f) == 0x90000010; /* adrp x16 */
}

static bool is_endbr64(const uint8_t *code)
{
	return !memcmp(code, endbr64, sizeof(endbr64));
}

static bool is_jump(const uint8_t *code)
{
	if (is_endbr64(code))
		code += sizeof(endbr64);
	if (*code == 0xf2) /* bnd */
		code++;
	return code[0] == 0xff && code[1] == 0x25;
}

/* False if they are of no kind that is known. */
static bool recognize_x86_64(const struct cfi_stubs *stubs, struct cfi_fde *fde)
{
	const uint8_t *first = stubs->code, *second = stubs->code + 16;

	fde->program = lazy;
	fde->program_bytes = 0;
	if (is_jump(first))
		return true;
	if (first[0] != 0xff || first[1] != 0x35)
		return false;
	fde->program_bytes = sizeof(lazy);
	if (is_jump(second))
		return true;
	fde->program = lazy_ibt;
	return is_endbr64(second) && second[4] == 0x68;
}

static bool is_described(const struct cfi_records *records, const struct cfi_text *text,
			 const struct cfi_stubs *stubs)
{
	uint64_t start = stubs->vaddr - text->base;
	size_t i;

	for (i = 0; i < records->nr_fdes; i++)
		if (records->fdes[i].end > start && records->fdes[i].start < start + stubs->size)
			return true;
	return false;
}

int cfi_records__add_stubs(struct cfi_records *records, const struct cfi_source *source)
{
	const uint8_t link = source->machine.link;
	struct cfi_cie cie = {
		.record = {.offset = UINT32_MAX, /* after all of the section */
			   .code_align = 1,
			   .data_align = -UNWIND_WORD,
			   .ra_register = link ? link : source->machine.ip},
		.initial = {.cfa = CFA_REGISTER, .reg = source->machine.sp},
	};
	struct cfi_fde fde = {.cie = (uint32_t)records->nr_cies};
	int err;

	if (!source->nr_stubs)
		return 0;
	if (!link) {
		cie.initial.offset = UNWIND_WORD;
		cie.initial.ra = (struct cfi_saved){PLACE_CFA, -UNWIND_WORD};
	}
	err = cfi_records__add_cie(records, &cie);
	for (size_t i = 0; i < source->nr_stubs && !err; i++) {
		const struct cfi_stubs *stubs = &source->stubs[i];

		if ((link ? recognize_aarch64(stubs, &fde) : recognize_x86_64(stubs, &fde)) &&
		    !is_described(records, &source->text, stubs))
			err = cfi_records__add_fde(records, &source->text, stubs->vaddr,
						   stubs->size, &fde);
	}
	return err;
}
