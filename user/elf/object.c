// SPDX-License-Identifier: GPL-2.0-only
/*
 * Collects the symbols of an ELF file, from the file itself and from the files that belong to it. A
 * .symtab has all functions. If it was stripped, each of several sources has some of them: Go's own
 * table, a debug file or mini-debuginfo, and .dynsym. None of them has the stubs of the linker.
 */
#include "elf/object.h"

#include <errno.h>
#include <libiberty/ansidecl.h>
#include <libiberty/objalloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "elf/debug_files.h"
#include "elf/file.h"
#include "elf/symbol_table.h"
#include "elf/symbols.h"

#define MAX_SEGMENTS 64 /* a linker makes 4 to 6 */
#define ENTRY_BYTES  64 /* of _start: 34 to 60 in the C libraries of x86-64 and aarch64 */
#define PAGE_BYTES   4096

struct segment {
	uint64_t offset, size; /* in the file */
	uint64_t address;
	bool executable;
};

struct object_reader {
	const struct debug_query *query;
	struct elf_file file;
	struct elf_file other; /* its debug file or its mini-debuginfo */
	int debug_fd;
	struct objalloc *names; /* that no file has */
	struct symbol_builder builder;
	struct object *object;
};

/* ---- segments ---- */

static void add_segment(struct object *object, const GElf_Phdr *header)
{
	if (object->nr_segments == MAX_SEGMENTS || header->p_filesz == 0)
		return;
	object->segments[object->nr_segments++] = (struct segment){
		.offset = header->p_offset,
		.size = header->p_filesz,
		.address = header->p_vaddr,
		.executable = header->p_flags & PF_X,
	};
}

static int read_segments(struct object_reader *reader)
{
	GElf_Phdr header;
	size_t i;

	reader->object->segments = calloc(MAX_SEGMENTS, sizeof(*reader->object->segments));
	if (!reader->object->segments)
		return -ENOMEM;
	for (i = 0; elf_file__segment(&reader->file, i, &header); i++)
		if (header.p_type == PT_LOAD)
			add_segment(reader->object, &header);
	return reader->object->nr_segments ? 0 : -ENOEXEC;
}

/* ---- symbols ---- */

static bool open_debug_file(struct object_reader *reader)
{
	reader->debug_fd = debug_files__open(reader->query, ".symtab");
	return reader->debug_fd >= 0 && !elf_file__open(&reader->other, reader->debug_fd);
}

/* What was in a .symtab that is not there. *go: what Go's own table names. */
static int collect_stripped(struct object_reader *reader, struct named_range *go)
{
	int code = gopclntab__add(&reader->file, &reader->builder, go);

	if (code ||
	    (!open_debug_file(reader) && debug_files__open_mini(&reader->file, &reader->other)))
		return code;
	return elf_symbols__add(&reader->other, SHT_SYMTAB, go, &reader->builder, NULL);
}

/* A linker puts what it exports into both tables; only who strips a part makes a difference. */
static int collect_dynamic(struct object_reader *reader, const struct symbol_counts *counts,
			   const struct named_range *go)
{
	struct symbol_counts dynamic = {0};
	int code;

	if (counts->functions) {
		code = elf_symbols__add(&reader->file, SHT_DYNSYM, go, NULL, &dynamic);
		if (code || dynamic.exported <= counts->exported)
			return code;
	}
	return elf_symbols__add(&reader->file, SHT_DYNSYM, go, &reader->builder, NULL);
}

static int collect_symbols(struct object_reader *reader)
{
	struct named_range go = {0};
	struct symbol_counts counts;
	int code = elf_symbols__add(&reader->file, SHT_SYMTAB, &go, &reader->builder, &counts);

	if (!code && counts.functions == 0)
		code = collect_stripped(reader, &go);
	if (!code)
		code = collect_dynamic(reader, &counts, &go);
	return code ? code : elf_plt__add(&reader->file, reader->names, &reader->builder);
}

static int read_table(struct object_reader *reader)
{
	int code;

	reader->names = objalloc_create();
	if (!reader->names)
		return -ENOMEM;
	code = collect_symbols(reader);
	if (code == -E2BIG) /* half of them would name the wrong things: rather none */
		symbol_builder__fini(&reader->builder);
	else if (code)
		return code;
	reader->object->table = symbol_builder__finish(&reader->builder);
	return reader->object->table ? 0 : -ENOMEM;
}

/* ---- a whole file ---- */

static int read_object(struct object_reader *reader)
{
	const GElf_Ehdr *header = &reader->file.header;
	struct build_id id;
	int code;

	if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
		return -ENOEXEC;
	reader->object = calloc(1, sizeof(*reader->object));
	if (!reader->object)
		return -ENOMEM;
	reader->object->entry = header->e_entry;
	elf_file__build_id(&reader->file, &id);
	build_id__format(&id, reader->object->build_id);
	code = read_segments(reader);
	return code ? code : read_table(reader);
}

int object__read(const struct debug_query *query, struct object **object)
{
	struct object_reader reader = {.query = query, .debug_fd = -1};
	int code = elf_file__open(&reader.file, query->fd);

	if (code)
		return code;
	code = read_object(&reader);
	symbol_builder__fini(&reader.builder);
	if (reader.names)
		objalloc_free(reader.names);
	elf_file__close(&reader.other);
	elf_file__close(&reader.file);
	if (reader.debug_fd >= 0)
		close(reader.debug_fd);
	if (code)
		object__free(reader.object);
	else
		*object = reader.object;
	return code;
}

void object__free(struct object *object)
{
	if (!object)
		return;
	symbol_table__free(object->table);
	free(object->segments);
	free(object);
}

/* ---- addresses ---- */

/*
 *	file     |  headers, data  |  code      |      offset 0x1e90: in the file both share a page,
 *	memory   [ r--p           ][ r-xp        )     and the code's mapping starts before the code
 *
 * slack: how much around a segment its mapping shows, because mappings are made of whole pages.
 */
static const struct segment *find_segment(const struct object *object, uint64_t offset,
					  bool executable, uint64_t slack)
{
	size_t i;

	for (i = 0; i < object->nr_segments; i++) {
		const struct segment *segment = &object->segments[i];
		const uint64_t start = segment->offset & ~slack;
		const uint64_t end = (segment->offset + segment->size + slack) & ~slack;

		if (segment->executable == executable && offset >= start && offset < end)
			return segment;
	}
	return NULL;
}

bool object__address(const struct object *object, uint64_t file_offset, uint64_t *address)
{
	const struct segment *segment = find_segment(object, file_offset, true, 0);

	if (!segment)
		segment = find_segment(object, file_offset, true, PAGE_BYTES - 1);
	if (!segment)
		segment = find_segment(object, file_offset, false, 0);
	if (!segment)
		return false;
	*address = segment->address + (file_offset - segment->offset);
	return true;
}

bool object__is_entry(const struct object *object, uint64_t address)
{
	return object->entry && address - object->entry < ENTRY_BYTES;
}

size_t object__memory_bytes(const struct object *object)
{
	return sizeof(*object) + object->nr_segments * sizeof(struct segment) +
	       symbol_table__memory_bytes(object->table);
}
