// SPDX-License-Identifier: GPL-2.0-only
/*
 * Collects the symbols of an ELF file and of files that belong to it. A .symtab has all functions.
 * If it was stripped, several sources have some of them: Go's own table, a debug file or
 * mini-debuginfo, and .dynsym. Of the other functions .eh_frame tells the begin. The stubs of the
 * linker are in none of these sources.
 */
#include <libiberty/ansidecl.h>
#include <libiberty/objalloc.h>
#include <unistd.h>

#include "base/files.h"
#include "elf/debug_files.h"
#include "elf/file.h"
#include "elf/object.h"
#include "elf/symbol_builder.h"
#include "elf/symbol_table.h"
#include "elf/symbols.h"

struct object_reader {
	int fd;
	const struct debug_candidates *offers;
	const struct object_request *request;
	struct elf_file file;
	struct elf_file other; /* its debug file or mini-debuginfo */
	int debug_fd;
	bool has_unnamed;	/* functions without names were added */
	bool is_short;		/* there is no room for those */
	struct objalloc *names; /* names made here, in no file */
	struct symbol_builder builder;
	struct object_header header;
	struct object_segment segments[OBJECT_MAX_SEGMENTS];
	struct symbol_table *table;
};

/* ---- segments ---- */

/* ---- symbols ---- */

/*
 * Collects symbols in place of a missing .symtab. *go: the range that Go's table names.
 * *is_complete: all functions are named, as by a debug file's .symtab; mini-debuginfo may lack
 * some.
 */
static int collect_stripped(struct object_reader *reader, struct named_range *go, bool *is_complete)
{
	int code = gopclntab__add(&reader->file, &reader->builder, go);
	struct symbol_counts counts;
	bool has_debug_file;

	if (code)
		return code;
	reader->debug_fd = debug_files__open(reader->fd, ".symtab", reader->offers);
	has_debug_file = reader->debug_fd >= 0 && !elf_file__open(&reader->other, reader->debug_fd);
	if (!has_debug_file) {
		code = debug_files__open_mini(&reader->file, &reader->other);
		if (code)
			return code == -ENOMEM ? code : 0;
	}
	code = elf_symbols__add(&reader->other, SHT_SYMTAB, go, &reader->builder, &counts);
	*is_complete = has_debug_file && counts.functions;
	return code;
}

/*
 * Adds .dynsym if needed. A linker puts exported functions into both tables, so they differ only if
 * .symtab was stripped in part.
 */
static int collect_dynamic(struct object_reader *reader, const struct symbol_counts *counts,
			   const struct named_range *go, bool *is_complete)
{
	struct symbol_counts dynamic = {0};
	int code;

	if (counts->functions) {
		code = elf_symbols__add(&reader->file, SHT_DYNSYM, go, NULL, &dynamic);
		if (code || dynamic.exported <= counts->exported)
			return code;
		*is_complete = false;
	}
	return elf_symbols__add(&reader->file, SHT_DYNSYM, go, &reader->builder, NULL);
}

static int collect_symbols(struct object_reader *reader)
{
	struct named_range go = {0};
	struct symbol_counts counts;
	int code = elf_symbols__add(&reader->file, SHT_SYMTAB, &go, &reader->builder, &counts);
	bool is_complete = counts.functions;

	if (!code && counts.functions == 0)
		code = collect_stripped(reader, &go, &is_complete);
	if (!code)
		code = collect_dynamic(reader, &counts, &go, &is_complete);
	reader->header.is_complete = !code && is_complete;
	reader->has_unnamed = !code && !is_complete && !reader->is_short;
	if (reader->has_unnamed)
		code = eh_frame__add(&reader->file, &go, &reader->builder);
	if (!code)
		code = elf_plt__add(&reader->file, reader->names, &reader->builder);
	return !code && (reader->file.lacks_memory || reader->other.lacks_memory) ? -ENOMEM : code;
}

/* ---- a whole file ---- */

static bool has_section(const struct elf_file *file, const char *name)
{
	struct elf_section section;

	return elf_file__find(file, name, &section);
}

static int read_object(struct object_reader *reader)
{
	struct object_header *header = &reader->header;
	const struct elf_file *file = &reader->file;
	const GElf_Half type = file->header.e_type;
	struct build_id id;
	GElf_Phdr segment;
	int code;

	if (type != ET_EXEC && type != ET_DYN)
		return -ENOEXEC;
	*header = (struct object_header){.magic = OBJECT_MAGIC, .entry = file->header.e_entry};
	elf_file__build_id(file, &id);
	build_id__format(&id, header->build_id);
	header->has_debug_info =
		has_section(file, ".debug_info") || has_section(file, ".zdebug_info");
	header->has_debug_link = has_section(file, ".gnu_debuglink");
	if (reader->request->build_id[0] &&
	    strcmp(reader->request->build_id, header->build_id) != 0)
		return -ESTALE;
	for (size_t i = 0; elf_file__segment(file, i, &segment); i++)
		if (segment.p_type == PT_LOAD && segment.p_filesz &&
		    header->nr_segments < OBJECT_MAX_SEGMENTS)
			reader->segments[header->nr_segments++] = (struct object_segment){
				.offset = segment.p_offset,
				.size = segment.p_filesz,
				.address = segment.p_vaddr,
				.executable = (segment.p_flags & PF_X) != 0,
			};
	if (!header->nr_segments && !reader->request->build_id[0])
		return -ENOEXEC;

	reader->names = objalloc_create();
	if (!reader->names)
		return -ENOMEM;
	code = collect_symbols(reader);
	if (code && code != -E2BIG)
		return code;
	header->has_too_many = code == -E2BIG;
	if (code) /* a part of the symbols would give wrong names: rather none */
		symbol_builder__fini(&reader->builder);
	reader->table = symbol_builder__finish(&reader->builder);
	return reader->table ? 0 : -ENOMEM;
}

static int read_file(struct object_reader *reader, int answer)
{
	int code = elf_file__open(&reader->file, reader->fd);
	size_t nr_bytes;

	if (code)
		return code;
	code = read_object(reader);
	nr_bytes = reader->header.nr_segments * sizeof(*reader->segments);
	if (!code && sizeof(reader->header) + nr_bytes + symbol_table__image_bytes(reader->table) >
			     reader->request->max_bytes)
		code = -EFBIG;
	if (!code)
		code = files__write(answer, &reader->header, sizeof(reader->header));
	if (!code)
		code = files__write(answer, reader->segments, nr_bytes);
	if (!code)
		code = symbol_table__write(reader->table, answer);
	symbol_table__free(reader->table);
	symbol_builder__fini(&reader->builder);
	if (reader->names)
		objalloc_free(reader->names);
	elf_file__close(&reader->other);
	elf_file__close(&reader->file);
	if (reader->debug_fd >= 0)
		close(reader->debug_fd);
	return code;
}

int object__read(int fd, const struct debug_candidates *offers, int answer,
		 const struct object_request *request)
{
	const struct object_reader begun = {
		.fd = fd, .offers = offers, .request = request, .debug_fd = -1};
	struct object_reader reader = begun;
	int code = read_file(&reader, answer);

	if (code != -EFBIG || !reader.has_unnamed)
		return code;
	reader = begun;
	reader.is_short = true;
	return read_file(&reader, answer);
}
