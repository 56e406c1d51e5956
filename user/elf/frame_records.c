// SPDX-License-Identifier: GPL-2.0-only
/*
 *	length 4 (or ffffffff, length 8) | id 4 | body      length 0: a terminator, which may be
 *	                                                    anywhere where sections were joined
 *	.eh_frame     id 0: a CIE; else an FDE: the distance back from the id to its CIE
 *	.debug_frame  id all ones: a CIE; else an FDE: the offset of its CIE; 8 bytes after ffffffff
 *
 *	CIE  version, augmentation ("zPLR"), numbers, and what the letters mean
 *	FDE  where the code begins, how much of it there is
 *
 * Pointers have a format, and a base that the value is relative to (DW_EH_PE).
 */
#include "elf/frame_records.h"

#include <dwarf.h>

#define MAX_AUGMENTATION 16 /* characters, with the terminator */

#define FORMAT(encoding)      ((encoding)&0x0f)
#define APPLICATION(encoding) ((encoding)&0x70)

/* ---- pointers ---- */

static uint64_t read_format(const struct frame_section *section, struct cursor *cursor,
			    uint8_t format)
{
	switch (format) {
	case DW_EH_PE_absptr:
		return cursor__unsigned(cursor, section->word_bytes);
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

static uint64_t address_of(const struct frame_section *section, const uint8_t *at)
{
	return section->vaddr + (uint64_t)(at - section->data);
}

uint64_t frame_section__pointer(const struct frame_section *section, struct cursor *cursor,
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
	value = read_format(section, cursor, FORMAT(encoding));
	return value ? base + value : 0; /* 0 is a null pointer with any base */
}

/* ---- records ---- */

struct cursor frame_section__begin(const struct frame_section *section)
{
	return (struct cursor){.at = section->data, .end = section->data + section->size};
}

bool frame_section__next(const struct frame_section *section, struct cursor *cursor,
			 struct frame_record *record)
{
	uint64_t length, id, cie_id, id_at;
	size_t id_bytes = 4;

	do {
		if (!cursor__left(cursor))
			return false;
		record->offset = (uint32_t)(cursor->at - section->data);
		length = cursor__unsigned(cursor, 4);
		if (cursor->bad || (!length && section->ends_at_terminator))
			return false;
	} while (!length);
	if (length == UINT32_MAX) {
		length = cursor__unsigned(cursor, 8);
		id_bytes = section->is_debug ? 8 : 4;
	}
	record->body = cursor__cut(cursor, length);
	if (cursor->bad)
		return false;
	id_at = (uint64_t)(record->body.at - section->data);
	id = cursor__unsigned(&record->body, id_bytes);
	cie_id = !section->is_debug ? 0 : id_bytes == 8 ? UINT64_MAX : UINT32_MAX;
	record->is_cie = id == cie_id;
	record->cie_offset = section->is_debug ? id : id_at - id;
	return true;
}

/* ---- CIEs ---- */

static void read_augmentation_data(const struct frame_section *section, struct frame_cie *cie,
				   const char *letters, struct cursor *data)
{
	uint8_t encoding;

	for (; *letters; letters++) {
		switch (*letters) {
		case 'R':
			cie->pointer_encoding = cursor__u8(data);
			break;
		case 'P': /* a pointer that is not needed; it may be indirect or aligned */
			encoding = cursor__u8(data);
			if (APPLICATION(encoding) == DW_EH_PE_aligned) {
				cursor__skip(data, -address_of(section, data->at) & 7);
				cursor__skip(data, 8);
			} else if (encoding != DW_EH_PE_omit) {
				read_format(section, data, FORMAT(encoding));
			}
			break;
		case 'L':
			cursor__u8(data);
			break;
		case 'S':
			cie->is_signal = true;
			break;
		case 'B': /* aarch64: return addresses are signed with the other key */
		case 'G': /* aarch64: stack memory is tagged */
			break;
		default: /* an 'R' behind it cannot be found */
			cursor__fail(data);
		}
	}
}

void frame_cie__read(struct frame_cie *cie, const struct frame_section *section,
		     const struct frame_record *record)
{
	struct cursor body = record->body, data;
	const uint8_t version = cursor__u8(&body);
	const char *letters = cursor__string(&body, MAX_AUGMENTATION);

	*cie = (struct frame_cie){.offset = record->offset, .pointer_encoding = DW_EH_PE_absptr};
	if (!letters || version < 1 || version > 4 || version == 2) {
		cie->bad = true;
		return;
	}
	if (!strcmp(letters, "eh")) { /* gcc before 3.0: a pointer that is not used */
		cursor__skip(&body, section->word_bytes);
		letters = "";
	}
	/* The sizes of an address and of a segment selector, a byte each. */
	if (version == 4 && section->is_debug && cursor__unsigned(&body, 2) != section->word_bytes)
		cursor__fail(&body);
	cie->code_align = cursor__uleb128(&body);
	cie->data_align = cursor__sleb128(&body);
	cie->ra_register = version == 1 ? cursor__u8(&body) : cursor__uleb128(&body);
	if (letters[0] == 'z') {
		cie->has_data = true;
		data = cursor__cut(&body, cursor__uleb128(&body));
		read_augmentation_data(section, cie, letters + 1, &data);
		body.bad |= data.bad;
	} else if (letters[0]) {
		cursor__fail(&body);
	}
	cie->program = body;
	cie->bad = body.bad;
}

/* ---- FDEs ---- */

bool frame_fde__read(struct frame_fde *fde, const struct frame_section *section,
		     const struct frame_cie *cie, const struct frame_record *record)
{
	struct cursor body = record->body;

	fde->start = frame_section__pointer(section, &body, cie->pointer_encoding);
	/* The same format without a base. */
	fde->nr_bytes = frame_section__pointer(section, &body, FORMAT(cie->pointer_encoding));
	if (cie->has_data)
		cursor__skip(&body, cursor__uleb128(&body));
	fde->program = body;
	return !body.bad;
}
