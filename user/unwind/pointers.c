// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pointers as encoded in .eh_frame: a format, and a base that the value is relative to (DW_EH_PE).
 */
#include "base/cursor.h"
#include "unwind/cfi.h"

#include <dwarf.h>

#define APPLICATION(encoding) ((encoding)&0x70)

static uint64_t read_format(struct cursor *cursor, uint8_t format)
{
	switch (format) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return cursor__unsigned(cursor, 8);
	case DW_EH_PE_udata4:
		return cursor__unsigned(cursor, 4);
	case DW_EH_PE_sdata4:
		return (uint64_t)cursor__signed(cursor, 4);
	case DW_EH_PE_udata2:
		return cursor__unsigned(cursor, 2);
	case DW_EH_PE_sdata2:
		return (uint64_t)cursor__signed(cursor, 2);
	case DW_EH_PE_uleb128:
		return cursor__uleb128(cursor);
	case DW_EH_PE_sleb128:
		return (uint64_t)cursor__sleb128(cursor);
	default:
		cursor__fail(cursor);
		return 0;
	}
}

static uint64_t address_of(const struct cfi_section *section, const uint8_t *at)
{
	return section->vaddr + (uint64_t)(at - section->data);
}

uint64_t cfi_section__pointer(const struct cfi_section *section, struct cursor *cursor,
			      uint8_t encoding)
{
	uint64_t base = 0, value;

	if (encoding & DW_EH_PE_indirect)
		cursor__fail(cursor);
	switch (APPLICATION(encoding)) {
	case DW_EH_PE_absptr:
		break;
	case DW_EH_PE_pcrel:
		base = address_of(section, cursor->at);
		break;
	default: /* relative to text, data or function: only used on other machines */
		cursor__fail(cursor);
	}
	value = read_format(cursor, CFI_FORMAT(encoding));
	return value ? base + value : 0; /* 0 is a null pointer with any base */
}

void cfi_section__skip_pointer(const struct cfi_section *section, struct cursor *cursor,
			       uint8_t encoding)
{
	if (APPLICATION(encoding) == DW_EH_PE_aligned) {
		cursor__skip(cursor, -address_of(section, cursor->at) & 7);
		cursor__skip(cursor, 8);
	} else if (encoding != DW_EH_PE_omit) {
		read_format(cursor, CFI_FORMAT(encoding));
	}
}
