// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds where functions without a name begin and end. Exceptions need .eh_frame at run time, so
 * strip keeps it: .eh_frame has a record for each function (an FDE), and what many of them share
 * (a CIE), which says how their addresses are written.
 *
 *	length 4 | id 4 | body		length 0: nothing, where sections were joined
 *
 *	CIE	id 0; version 1, augmentation "zPLR", numbers, and what its letters mean
 *	FDE	id: the distance back to its CIE; where the code begins, how much of it there is
 *
 * Records may be in any order and are not trusted. A CIE is decoded again whenever the FDE before
 * has another one, which costs a few bytes. Functions outside of the file's code are left out.
 */
#include <dwarf.h>

#include "base/cursor.h"
#include "elf/file.h"
#include "elf/symbol_builder.h"
#include "elf/symbols.h"

#define MAX_SEGMENTS	 32 /* with code; linkers make one */
#define MAX_AUGMENTATION 16 /* letters, with the zero */

struct code_segment {
	uint64_t start, end;
};

struct eh_frame {
	const uint8_t *bytes;
	size_t nr_bytes;
	uint64_t address;
	unsigned int word; /* bytes of an address: 4 or 8 */
	struct code_segment code[MAX_SEGMENTS];
	size_t nr_code;
	uint64_t cie; /* the last CIE decoded */
	uint8_t encoding;
};

/* ---- records ---- */

struct record {
	uint64_t id_at; /* offset of the id, from which the distance to the CIE counts */
	uint32_t id;
	struct cursor body;
};

/*
 * Reads the record at the cursor and moves behind it. False: there is none, or its length is not
 * valid or has 64 bits, which no real file needs.
 */
static bool next_record(const struct eh_frame *frames, struct cursor *cursor, struct record *record)
{
	const uint64_t length = cursor__unsigned(cursor, 4);

	record->id_at = (uint64_t)(cursor->at - frames->bytes);
	record->body = cursor__cut(cursor, length);
	record->id = (uint32_t)cursor__unsigned(&record->body, 4);
	return !cursor->bad;
}

/* Size of an address, or 0. */
static unsigned int bytes_of(const struct eh_frame *frames, uint8_t encoding)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
		return frames->word;
	case DW_EH_PE_udata4:
	case DW_EH_PE_sdata4:
		return 4;
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return 8;
	default:
		return 0;
	}
}

/* Finds the encoding: the letters before 'R' tell which data lies before its byte. */
static uint8_t find_encoding(const struct eh_frame *frames, const char *letters,
			     struct cursor *data)
{
	for (; *letters; letters++) {
		uint8_t personality;

		switch (*letters) {
		case 'R':
			return cursor__u8(data);
		case 'L':
			cursor__u8(data);
			break;
		case 'P':
			personality = cursor__u8(data);
			if (!bytes_of(frames, personality))
				return DW_EH_PE_omit;
			cursor__skip(data, bytes_of(frames, personality));
			break;
		case 'S':
		case 'B':
		case 'G':
			break;
		default:
			return DW_EH_PE_omit;
		}
	}
	return DW_EH_PE_absptr;
}

/* The encoding of addresses in the FDEs of a CIE; DW_EH_PE_omit: not known. */
static uint8_t encoding_of(const struct eh_frame *frames, uint64_t cie)
{
	struct cursor cursor = {frames->bytes, frames->bytes + frames->nr_bytes, false};
	struct record record;
	const char *letters;
	uint8_t version, encoding;

	cursor__skip(&cursor, cie);
	if (!next_record(frames, &cursor, &record) || record.id != 0)
		return DW_EH_PE_omit;
	version = cursor__u8(&record.body);
	letters = cursor__string(&record.body, MAX_AUGMENTATION);
	if ((version != 1 && version != 3) || !letters || (*letters && *letters != 'z'))
		return DW_EH_PE_omit;
	cursor__uleb128(&record.body); /* alignments of code and data */
	cursor__sleb128(&record.body);
	if (version == 1) /* the register of return addresses */
		cursor__u8(&record.body);
	else
		cursor__uleb128(&record.body);
	if (!*letters)
		return DW_EH_PE_absptr;
	cursor__uleb128(&record.body);
	encoding = find_encoding(frames, letters + 1, &record.body);
	return record.body.bad ? DW_EH_PE_omit : encoding;
}

/* ---- functions ---- */

static uint64_t read_start(const struct eh_frame *frames, struct cursor *body, uint8_t encoding)
{
	const uint64_t at = frames->address + (uint64_t)(body->at - frames->bytes);
	const unsigned int nr_bytes = bytes_of(frames, encoding);
	const uint64_t value = encoding & DW_EH_PE_signed ? (uint64_t)cursor__signed(body, nr_bytes)
							  : cursor__unsigned(body, nr_bytes);

	return (encoding & 0x70) == DW_EH_PE_pcrel ? at + value : value;
}

/*
 * The function of an FDE, without a name, cut off at the end of the code; size 0: it is not valid.
 */
static struct symbol read_function(struct eh_frame *frames, struct record *fde)
{
	struct symbol symbol = {.sized = true, .binding = BINDING_LOCAL, .name = ""};
	const uint64_t cie = fde->id_at - fde->id;
	uint8_t encoding, relative;
	uint64_t size;

	if (cie != frames->cie)
		frames->encoding = encoding_of(frames, cie);
	frames->cie = cie;
	encoding = frames->encoding;
	relative = encoding & 0xf0;
	if (!bytes_of(frames, encoding) ||
	    (relative != DW_EH_PE_absptr && relative != DW_EH_PE_pcrel))
		return symbol;
	symbol.start = read_start(frames, &fde->body, encoding);
	size = cursor__unsigned(&fde->body, bytes_of(frames, encoding));
	for (size_t i = 0; i < frames->nr_code; i++) {
		const struct code_segment *code = &frames->code[i];

		if (symbol.start >= code->start && symbol.start < code->end)
			symbol.size =
				size < code->end - symbol.start ? size : code->end - symbol.start;
	}
	return symbol;
}

/* ---- a file ---- */

static void find_code(struct eh_frame *frames, const struct elf_file *file)
{
	GElf_Phdr segment;

	for (size_t i = 0; frames->nr_code < MAX_SEGMENTS && elf_file__segment(file, i, &segment);
	     i++)
		if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) &&
		    segment.p_vaddr + segment.p_filesz > segment.p_vaddr)
			frames->code[frames->nr_code++] = (struct code_segment){
				segment.p_vaddr, segment.p_vaddr + segment.p_filesz};
}

static bool open_frames(struct eh_frame *frames, struct elf_file *file)
{
	struct elf_section section;
	const Elf_Data *data;

	if (file->header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    !elf_file__find(file, ".eh_frame", &section))
		return false;
	data = elf_file__data(file, &section);
	if (!data)
		return false;
	*frames = (struct eh_frame){
		.bytes = data->d_buf,
		.nr_bytes = data->d_size,
		.address = section.header.sh_addr,
		.word = file->header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4,
		.cie = UINT64_MAX,
	};
	find_code(frames, file);
	return true;
}

int eh_frame__each(struct elf_file *file, int (*take)(void *context, const struct symbol *function),
		   void *context)
{
	struct eh_frame frames;
	struct cursor cursor;
	struct record record;
	int code = 0;

	if (!open_frames(&frames, file))
		return 0;
	cursor = (struct cursor){frames.bytes, frames.bytes + frames.nr_bytes, false};
	while (!code && next_record(&frames, &cursor, &record)) {
		struct symbol symbol = {0};

		if (record.id)
			symbol = read_function(&frames, &record);
		if (symbol.size)
			code = take(context, &symbol);
	}
	return code;
}

/* ---- as symbols ---- */

struct function_collector {
	const struct named_range *named;
	struct symbol_builder *builder;
};

static int collect(void *context, const struct symbol *function)
{
	const struct function_collector *collector = context;

	if (function->start >= collector->named->start && function->start < collector->named->end)
		return 0;
	return symbol_builder__add(collector->builder, function);
}

int eh_frame__add(struct elf_file *file, const struct named_range *named,
		  struct symbol_builder *builder)
{
	struct function_collector collector = {named, builder};

	return eh_frame__each(file, collect, &collector);
}
