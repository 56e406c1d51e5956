// SPDX-License-Identifier: GPL-2.0-only
/*
 * PLT stubs without call frame information: lld gives them none, and nobody does for the stubs of
 * a static program's IFUNCs. What they do to the stack is known from how they begin.
 *
 *	ff 25 ....			jmp *got		nothing, ever
 *	f3 0f 1e fa ff 25 ....		endbr64; jmp *got	nothing, ever
 *	ff 35 .... ff 25 ....		push got+8; jmp *got+16	the first of the lazily bound; then
 *	  ff 25 .... 68 .... e9 ....	jmp *got; push n; jmp	    one word more from byte 11 on
 *	  f3 0f 1e fa 68 .... e9 ....	endbr64; push n; jmp	    one word more from byte 9 on
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
static bool recognize(const struct cfi_stubs *stubs, struct cfi_fde *fde)
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
	const struct cfi_cie cie = {
		.offset = UINT32_MAX, /* after all of the section */
		.code_align = 1,
		.data_align = -UNWIND_WORD,
		.ra_register = source->machine.ip,
		.initial = {.cfa = CFA_REGISTER,
			    .reg = source->machine.sp,
			    .offset = UNWIND_WORD,
			    .ra = {.place = PLACE_CFA, .offset = -UNWIND_WORD}},
	};
	struct cfi_fde fde = {.cie = (uint32_t)records->nr_cies};
	size_t i;
	int err;

	if (source->machine.has_link || !source->nr_stubs)
		return 0;
	err = cfi_records__add_cie(records, &cie);
	for (i = 0; i < source->nr_stubs && !err; i++)
		if (recognize(&source->stubs[i], &fde) &&
		    !is_described(records, &source->text, &source->stubs[i]))
			err = cfi_records__add_fde(records, &source->text, source->stubs[i].vaddr,
						   source->stubs[i].size, &fde);
	return err;
}
