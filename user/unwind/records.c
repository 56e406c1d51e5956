// SPDX-License-Identifier: GPL-2.0-only
/*
 * The records of .eh_frame and .debug_frame: CIEs, then the FDEs that refer to them.
 *
 *	length 4 (or ffffffff, length 8) | id 4 | body      length 0: a terminator, which may be
 *	                                                    anywhere where sections were joined
 *	.eh_frame     id 0: a CIE; else an FDE: the distance back from the id to its CIE
 *	.debug_frame  id all ones: a CIE; else an FDE: the offset of its CIE; 8 bytes after ffffffff
 *
 * Two walks, each linear: a .debug_frame may have an FDE before its CIE. Where both sections are
 * there, .eh_frame may speak of the start code alone; what both speak of they agree on.
 */
#include "base/cursor.h"
#include "unwind/cfi.h"

#include <dwarf.h>

#define MAX_AUGMENTATION 16		  /* characters, with the terminator */
#define MAX_PC		 (UINT32_MAX - 1) /* so that there is a pc after all code */
#define MAX_CIES	 (1U << 17)	  /* one a compilation unit, where none are alike: 16 MB */

struct cfi_record {
	uint32_t offset; /* of the record in the section */
	bool is_cie;
	uint64_t cie_offset; /* for an FDE */
	struct cursor body;  /* after the id */
};

/* Reads the id: 8 bytes after a 64-bit length, except in .eh_frame, where it always has 4. */
static void read_id(const struct cfi_section *section, struct cfi_record *record, bool is_long)
{
	size_t nr_bytes = is_long && section->is_debug ? 8 : 4;
	uint64_t position = (uint64_t)(record->body.at - section->data);
	uint64_t id = cursor__unsigned(&record->body, nr_bytes);
	uint64_t cie_id = !section->is_debug ? 0 : nr_bytes == 8 ? UINT64_MAX : UINT32_MAX;

	record->is_cie = id == cie_id;
	record->cie_offset = section->is_debug ? id : position - id;
}

/* Reads the next record. False at the end of the section, or at a length that is not valid. */
static bool next_record(const struct cfi_section *section, struct cursor *cursor,
			struct cfi_record *record)
{
	bool is_long;
	uint64_t length;

	for (;;) {
		if (!cursor__left(cursor))
			return false;
		record->offset = (uint32_t)(cursor->at - section->data);
		length = cursor__unsigned(cursor, 4);
		if (length != 0)
			break;
		if (section->ends_at_terminator || cursor->bad)
			return false;
	}
	is_long = length == UINT32_MAX;
	if (is_long)
		length = cursor__unsigned(cursor, 8);
	record->body = cursor__cut(cursor, length);
	if (cursor->bad)
		return false;
	read_id(section, record, is_long);
	return true;
}

/* ---- CIEs ---- */

static void read_augmentation_data(const struct cfi_section *section, struct cfi_cie *cie,
				   const char *letters, struct cursor *data)
{
	uint8_t encoding;

	for (; *letters; letters++) {
		switch (*letters) {
		case 'R':
			cie->pointer_encoding = cursor__u8(data);
			break;
		case 'P':
			encoding = cursor__u8(data);
			cfi_section__skip_pointer(section, data, encoding);
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

static void read_augmentation(const struct cfi_section *section, struct cfi_cie *cie,
			      const char *letters, struct cursor *body)
{
	struct cursor data;

	if (letters[0] == 'z') {
		cie->has_data = true;
		data = cursor__cut(body, cursor__uleb128(body));
		read_augmentation_data(section, cie, letters + 1, &data);
		body->bad |= data.bad;
	} else if (letters[0]) {
		cursor__fail(body);
	}
}

/* Reads the part of a CIE before its augmentation data. */
static const char *read_cie_header(const struct cfi_section *section, struct cfi_cie *cie,
				   struct cursor *body)
{
	uint8_t version = cursor__u8(body);
	const char *letters = cursor__string(body, MAX_AUGMENTATION);

	if (!letters || version < 1 || version > 4 || version == 2) {
		cursor__fail(body);
		return "";
	}
	if (!strcmp(letters, "eh")) { /* gcc before 3.0: a pointer that is not used */
		cursor__skip(body, 8);
		letters = "";
	}
	/* The sizes of an address and of a segment selector, a byte each. */
	if (version == 4 && section->is_debug && cursor__unsigned(body, 2) != 8)
		cursor__fail(body);
	cie->code_align = cursor__uleb128(body);
	cie->data_align = cursor__sleb128(body);
	cie->ra_register = version == 1 ? cursor__u8(body) : cursor__uleb128(body);
	return letters;
}

static void read_cie(const struct cfi_source *source, const struct cfi_section *section,
		     struct cfi_cie *cie, const struct cfi_record *record)
{
	struct cursor body = record->body;
	const char *letters;

	*cie = (struct cfi_cie){
		.section = section, .offset = record->offset, .pointer_encoding = DW_EH_PE_absptr};
	letters = read_cie_header(section, cie, &body);
	read_augmentation(section, cie, letters, &body);
	cie->program = body;
	cie->bad = body.bad;
	if (!cie->bad)
		cfi_cie__run(cie, source);
}

int cfi_records__add_cie(struct cfi_records *records, const struct cfi_cie *cie)
{
	if (array__reserve(&records->cies, &records->cies_capacity, records->nr_cies + 1))
		return -ENOMEM;
	records->cies[records->nr_cies++] = *cie;
	return 0;
}

static struct cursor begin(const struct cfi_section *section)
{
	return (struct cursor){.at = section->data, .end = section->data + section->size};
}

static int read_cies(struct cfi_records *records, const struct cfi_source *source,
		     const struct cfi_section *section)
{
	struct cursor cursor = begin(section);
	struct cfi_record record;
	struct cfi_cie cie;
	int err;

	records->first_cie = records->nr_cies;
	while (next_record(section, &cursor, &record)) {
		if (!record.is_cie)
			continue;
		if (records->nr_cies == MAX_CIES)
			return -E2BIG;
		read_cie(source, section, &cie, &record);
		records->nr_bad += cie.bad;
		err = cfi_records__add_cie(records, &cie);
		if (err)
			return err;
	}
	records->nr_bad += cursor.bad;
	return 0;
}

static int compare_cie(const void *key, const void *element)
{
	uint64_t offset = *(const uint64_t *)key;
	const struct cfi_cie *cie = element;

	return (offset > cie->offset) - (offset < cie->offset);
}

static const struct cfi_cie *find_cie(const struct cfi_records *records, uint64_t offset)
{
	size_t nr = records->nr_cies - records->first_cie;

	return nr ? bsearch(&offset, records->cies + records->first_cie, nr, sizeof(*records->cies),
			    compare_cie)
		  : NULL;
}

/* ---- FDEs ---- */

/* Clips an FDE to the segment that contains its start, and to 32 bits above base. */
static bool place_fde(struct cfi_fde *fde, const struct cfi_text *text, uint64_t start,
		      uint64_t nr_bytes)
{
	const struct cfi_segment *segment;
	uint64_t left;
	size_t i;

	for (i = 0; i < text->nr_segments; i++) {
		segment = &text->segments[i];
		if (start - segment->vaddr < segment->size)
			break;
	}
	if (i == text->nr_segments || start - text->base >= MAX_PC)
		return false;
	left = segment->size - (start - segment->vaddr);
	if (nr_bytes > left)
		nr_bytes = left;
	fde->start = (uint32_t)(start - text->base);
	if (nr_bytes > MAX_PC - fde->start)
		nr_bytes = MAX_PC - fde->start;
	fde->end = fde->start + (uint32_t)nr_bytes;
	return nr_bytes > 0;
}

int cfi_records__add_fde(struct cfi_records *records, const struct cfi_text *text, uint64_t start,
			 uint64_t nr_bytes, const struct cfi_fde *fde)
{
	struct cfi_fde placed = *fde;

	if (!place_fde(&placed, text, start, nr_bytes))
		return 0;
	if (records->nr_fdes == UNWIND_MAX_ROWS)
		return -E2BIG;
	if (array__reserve(&records->fdes, &records->fdes_capacity, records->nr_fdes + 1))
		return -ENOMEM;
	records->fdes[records->nr_fdes++] = placed;
	return 0;
}

/* The CIE of a record. Most FDEs have the same one as the FDE before. */
static const struct cfi_cie *cie_of(const struct cfi_records *records,
				    const struct cfi_section *section,
				    const struct cfi_record *record)
{
	const struct cfi_cie *cie = NULL;

	if (records->nr_fdes)
		cie = &records->cies[records->fdes[records->nr_fdes - 1].cie];
	if (!cie || cie->section != section || cie->offset != record->cie_offset)
		cie = find_cie(records, record->cie_offset);
	return cie;
}

static int read_fde(struct cfi_records *records, const struct cfi_source *source,
		    const struct cfi_section *section, const struct cfi_record *record)
{
	const struct cfi_cie *cie = cie_of(records, section, record);
	struct cursor body = record->body;
	uint64_t start, nr_bytes;
	struct cfi_fde fde;

	if (!cie) {
		records->nr_bad++;
		return 0;
	}
	start = cfi_section__pointer(section, &body, cie->pointer_encoding);
	nr_bytes = cfi_section__pointer(section, &body, CFI_FORMAT(cie->pointer_encoding));
	if (cie->has_data)
		cursor__skip(&body, cursor__uleb128(&body));
	if (body.bad) {
		records->nr_bad++;
		return 0;
	}
	fde.cie = (uint32_t)(cie - records->cies);
	fde.program = body.at;
	fde.program_bytes = (uint32_t)cursor__left(&body);
	return cfi_records__add_fde(records, &source->text, start, nr_bytes, &fde);
}

static int read_fdes(struct cfi_records *records, const struct cfi_source *source,
		     const struct cfi_section *section)
{
	struct cursor cursor = begin(section);
	struct cfi_record record;
	int err = 0;

	while (!err && next_record(section, &cursor, &record))
		if (!record.is_cie)
			err = read_fde(records, source, section, &record);
	return err;
}

int cfi_records__read(struct cfi_records *records, const struct cfi_source *source)
{
	const struct cfi_section *section;
	size_t i;
	int err = 0;

	for (i = 0; i < source->nr_sections && !err; i++) {
		section = &source->sections[i];
		err = read_cies(records, source, section);
		if (!err)
			err = read_fdes(records, source, section);
	}
	return err;
}

void cfi_records__fini(struct cfi_records *records)
{
	free(records->cies);
	free(records->fdes);
}
