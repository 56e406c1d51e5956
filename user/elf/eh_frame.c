// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds where functions without a name begin and end. Exceptions need .eh_frame at run time, so
 * strip keeps it: it has a record for each function (elf/frame_records.h).
 *
 * Records may be in any order. A CIE is read again whenever the FDE before has another one, which
 * costs a few bytes. Functions outside of the file's code are left out.
 */
#include "elf/file.h"
#include "elf/frame_records.h"
#include "elf/symbol_builder.h"
#include "elf/symbols.h"

#define MAX_SEGMENTS 32 /* with code; linkers make one */

struct code_segment {
	uint64_t start, end;
};

struct eh_frame {
	struct frame_section section;
	struct code_segment code[MAX_SEGMENTS];
	size_t nr_code;
	uint64_t cie_offset; /* the CIE that was read last */
	struct frame_cie cie;
};

static bool open_frames(struct eh_frame *frames, struct elf_file *file)
{
	struct elf_section section;
	const Elf_Data *data;
	GElf_Phdr segment;

	if (file->header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    !elf_file__find(file, ".eh_frame", &section))
		return false;
	data = elf_file__data(file, &section);
	if (!data)
		return false;
	*frames = (struct eh_frame){
		.section = {.data = data->d_buf,
			    .size = data->d_size,
			    .vaddr = section.header.sh_addr,
			    .word_bytes = file->header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4},
		.cie_offset = UINT64_MAX,
	};
	for (size_t i = 0; frames->nr_code < MAX_SEGMENTS && elf_file__segment(file, i, &segment);
	     i++)
		if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) &&
		    segment.p_vaddr + segment.p_filesz > segment.p_vaddr)
			frames->code[frames->nr_code++] = (struct code_segment){
				segment.p_vaddr, segment.p_vaddr + segment.p_filesz};
	return true;
}

/* The function of an FDE, without a name, cut off at the end of the code; size 0: not valid. */
static struct symbol read_function(struct eh_frame *frames, const struct frame_record *record)
{
	struct symbol symbol = {.sized = true, .binding = BINDING_LOCAL, .name = ""};
	struct frame_fde fde;

	if (record->cie_offset != frames->cie_offset) {
		struct frame_section section = frames->section;
		struct cursor cursor = frame_section__begin(&section);
		struct frame_record cie;

		frames->cie_offset = record->cie_offset;
		frames->cie.bad = true;
		/* Many FDEs may point into a long run of zeros, which no lookup passes over. */
		section.ends_at_terminator = true;
		cursor__skip(&cursor, record->cie_offset);
		if (frame_section__next(&section, &cursor, &cie) && cie.is_cie &&
		    cie.offset == record->cie_offset)
			frame_cie__read(&frames->cie, &frames->section, &cie);
	}
	if (frames->cie.bad || !frame_fde__read(&fde, &frames->section, &frames->cie, record))
		return symbol;
	symbol.start = fde.start;
	for (size_t i = 0; i < frames->nr_code; i++) {
		const struct code_segment *code = &frames->code[i];
		const uint64_t left = code->end - fde.start;

		if (fde.start >= code->start && fde.start < code->end)
			symbol.size = fde.nr_bytes < left ? fde.nr_bytes : left;
	}
	return symbol;
}

int eh_frame__each(struct elf_file *file, int (*take)(void *context, const struct symbol *function),
		   void *context)
{
	struct frame_record record;
	struct eh_frame frames;
	struct cursor cursor;
	int code = 0;

	if (!open_frames(&frames, file))
		return 0;
	cursor = frame_section__begin(&frames.section);
	while (!code && frame_section__next(&frames.section, &cursor, &record)) {
		struct symbol symbol = {0};

		if (!record.is_cie)
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
