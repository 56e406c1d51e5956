// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads .symtab and .dynsym through libelf. Nothing is mapped: a file that is cut while we look at
 * it gives a short read, not a SIGBUS. Every size is held against the size of the file before it is
 * used, so a broken file costs at most what an honest one of its size does.
 */
#include "symbols/elf.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "symbols/table.h"

#define MAX_SEGMENTS	  64 /* a linker makes 4 to 6 */
#define MAX_SECTIONS	  SHN_LORESERVE
#define MAX_STRINGS_BYTES (512U << 20)
#define MAX_NOTES_BYTES	  65536
#define ENTRY_BYTES	  64 /* of _start: 34 to 60 in the C libraries of x86-64 and aarch64 */
#define PAGE_BYTES	  4096

struct segment {
	uint64_t offset, size; /* in the file */
	uint64_t address;
	bool executable;
};

/* A section with code, which says how far a symbol without a size may reach. */
struct section {
	uint64_t start, end; /* equal if there is no code in it */
};

struct reader {
	Elf *elf;
	uint64_t file_bytes;
	struct object *object;
	struct section *sections; /* by index */
	size_t nr_sections;
	struct builder *builder;
};

/* ---- segments and notes ---- */

static void note_build_id(struct object *object, const unsigned char *id, size_t length)
{
	size_t i;

	if (length == 0 || length > BUILD_ID_MAX_BYTES || object->build_id[0])
		return;
	for (i = 0; i < length; i++)
		snprintf(object->build_id + 2 * i, 3, "%02x", id[i]);
}

static bool fits_in_file(const struct reader *reader, uint64_t offset, uint64_t bytes)
{
	return offset <= reader->file_bytes && bytes <= reader->file_bytes - offset;
}

static void read_notes(struct reader *reader, const GElf_Phdr *segment)
{
	const Elf_Type type = segment->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
	size_t offset = 0, name, id;
	GElf_Nhdr note;
	Elf_Data *data;

	if (segment->p_filesz > MAX_NOTES_BYTES ||
	    !fits_in_file(reader, segment->p_offset, segment->p_filesz))
		return;
	data = elf_getdata_rawchunk(reader->elf, (int64_t)segment->p_offset, segment->p_filesz,
				    type);
	while (data && (offset = gelf_getnote(data, offset, &note, &name, &id)) > 0) {
		const char *bytes = data->d_buf;

		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(bytes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)))
			note_build_id(reader->object, (const unsigned char *)bytes + id,
				      note.n_descsz);
	}
}

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

static int read_segments(struct reader *reader)
{
	GElf_Phdr header;
	size_t nr, i;

	if (elf_getphdrnum(reader->elf, &nr))
		return -ENOEXEC;
	reader->object->segments = calloc(MAX_SEGMENTS, sizeof(*reader->object->segments));
	if (!reader->object->segments)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(reader->elf, (int)i, &header))
			break;
		if (header.p_type == PT_LOAD)
			add_segment(reader->object, &header);
		else if (header.p_type == PT_NOTE)
			read_notes(reader, &header);
	}
	return reader->object->nr_segments ? 0 : -ENOEXEC;
}

/* ---- sections and symbols ---- */

static int read_sections(struct reader *reader)
{
	size_t nr, i;

	if (elf_getshdrnum(reader->elf, &nr) || nr > MAX_SECTIONS)
		nr = 0;
	reader->sections = calloc(nr + 1, sizeof(*reader->sections));
	if (!reader->sections)
		return -ENOMEM;
	reader->nr_sections = nr;
	for (i = 1; i < nr; i++) {
		const GElf_Xword code = SHF_ALLOC | SHF_EXECINSTR;
		GElf_Shdr header;

		if (gelf_getshdr(elf_getscn(reader->elf, i), &header) &&
		    (header.sh_flags & code) == code &&
		    header.sh_addr + header.sh_size > header.sh_addr)
			reader->sections[i] =
				(struct section){header.sh_addr, header.sh_addr + header.sh_size};
	}
	return 0;
}

/* A section's bytes, which live until elf_end(). NULL if it is not what its header says. */
static Elf_Data *read_section(const struct reader *reader, Elf_Scn *section,
			      const GElf_Shdr *header)
{
	Elf_Data *data;

	if (!section || header->sh_type == SHT_NOBITS || (header->sh_flags & SHF_COMPRESSED) ||
	    !fits_in_file(reader, header->sh_offset, header->sh_size))
		return NULL;
	data = elf_getdata(section, NULL);
	return data && data->d_buf && data->d_size <= header->sh_size ? data : NULL;
}

static bool is_code(const struct reader *reader, const GElf_Sym *symbol)
{
	const unsigned int type = GELF_ST_TYPE(symbol->st_info);
	const struct section *section;

	if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
		return false;
	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= reader->nr_sections)
		return false;
	section = &reader->sections[symbol->st_shndx];
	return symbol->st_value >= section->start && symbol->st_value < section->end;
}

static enum binding binding_of(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_GLOBAL:
	case STB_GNU_UNIQUE:
		return BINDING_GLOBAL;
	case STB_WEAK:
		return BINDING_WEAK;
	default:
		return BINDING_LOCAL;
	}
}

/* Without the version: "memcpy" of "memcpy@@GLIBC_2.14". */
static size_t bare_length(const char *name, size_t length)
{
	const char *version = length > 1 ? memchr(name + 1, '@', length - 1) : NULL;

	return version ? (size_t)(version - name) : length;
}

static int add_symbol(struct reader *reader, const GElf_Sym *symbol, const Elf_Data *strings)
{
	const struct section *section = &reader->sections[symbol->st_shndx];
	const uint64_t reach = section->end - symbol->st_value;
	const bool sized = symbol->st_size > 0;
	const char *name;
	size_t length;

	if (symbol->st_name >= strings->d_size)
		return 0;
	name = (const char *)strings->d_buf + symbol->st_name;
	length = strnlen(name, strings->d_size - symbol->st_name);
	/* "$x", "$d.1": where code and data alternate on arm, not functions */
	if (length == 0 || length == strings->d_size - symbol->st_name || name[0] == '$')
		return 0;
	return builder__add(
		reader->builder,
		&(struct symbol){
			.start = symbol->st_value,
			.size = sized && symbol->st_size < reach ? symbol->st_size : reach,
			.sized = sized,
			.binding = binding_of(symbol),
			.name = name,
			.name_length = bare_length(name, length),
		});
}

/* The symbols of one section. What cannot be read is left out. 0, -ENOMEM or -E2BIG. */
static int read_symbols(struct reader *reader, Elf_Scn *section, const GElf_Shdr *header)
{
	const size_t entry_bytes = gelf_fsize(reader->elf, ELF_T_SYM, 1, EV_CURRENT);
	Elf_Data *symbols, *strings;
	Elf_Scn *string_section = elf_getscn(reader->elf, header->sh_link);
	GElf_Shdr string_header;
	GElf_Sym symbol;
	size_t i, nr;
	int code = 0;

	if (entry_bytes == 0 || header->sh_entsize != entry_bytes ||
	    header->sh_size / entry_bytes > INT32_MAX ||
	    !gelf_getshdr(string_section, &string_header) || string_header.sh_type != SHT_STRTAB ||
	    string_header.sh_size > MAX_STRINGS_BYTES)
		return 0;
	symbols = read_section(reader, section, header);
	strings = read_section(reader, string_section, &string_header);
	if (!symbols || !strings)
		return 0;
	nr = symbols->d_size / entry_bytes;
	for (i = 1; i < nr && !code; i++)
		if (gelf_getsym(symbols, (int)i, &symbol) && is_code(reader, &symbol))
			code = add_symbol(reader, &symbol, strings);
	return code;
}

/* The first section of a type: a file has at most one of each. */
static int read_symbols_of_type(struct reader *reader, GElf_Word type)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (reader->nr_sections && (section = elf_nextscn(reader->elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == type)
			return read_symbols(reader, section, &header);
	return 0;
}

static int collect_symbols(struct reader *reader)
{
	int code = read_symbols_of_type(reader, SHT_SYMTAB);

	return code ? code : read_symbols_of_type(reader, SHT_DYNSYM);
}

static int read_table(struct reader *reader)
{
	int code = read_sections(reader);

	if (code)
		return code;
	reader->builder = builder__new();
	if (!reader->builder)
		return -ENOMEM;
	code = collect_symbols(reader);
	if (code == -E2BIG) { /* half of them would name the wrong things: rather none */
		builder__free(reader->builder);
		reader->builder = builder__new();
		code = reader->builder ? 0 : -ENOMEM;
	}
	if (code)
		return code;
	reader->object->table = builder__finish(reader->builder);
	reader->builder = NULL;
	return reader->object->table ? 0 : -ENOMEM;
}

/* ---- a whole file ---- */

static int read_object(struct reader *reader)
{
	GElf_Ehdr header;
	int code;

	if (elf_kind(reader->elf) != ELF_K_ELF || !gelf_getehdr(reader->elf, &header))
		return -ENOEXEC;
	if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
		return -ENOEXEC;
	reader->object->entry = header.e_entry;
	code = read_segments(reader);
	return code ? code : read_table(reader);
}

static int read_elf(Elf *elf, uint64_t file_bytes, struct object **object)
{
	struct reader reader = {.elf = elf, .file_bytes = file_bytes};
	int code;

	reader.object = calloc(1, sizeof(*reader.object));
	code = !elf ? -ENOEXEC : !reader.object ? -ENOMEM : read_object(&reader);
	free(reader.sections);
	builder__free(reader.builder);
	elf_end(elf);
	if (code) {
		object__free(reader.object);
		return code;
	}
	*object = reader.object;
	return 0;
}

int object__read(int fd, struct object **object)
{
	struct stat status;

	if (fstat(fd, &status))
		return -errno;
	elf_version(EV_CURRENT);
	return read_elf(elf_begin(fd, ELF_C_READ, NULL), (uint64_t)status.st_size, object);
}

int object__read_memory(const void *image, size_t bytes, struct object **object)
{
	char *copy = malloc(bytes + 1); /* libelf wants it writable */
	int code;

	if (!copy)
		return -ENOMEM;
	memcpy(copy, image, bytes);
	elf_version(EV_CURRENT);
	code = read_elf(elf_memory(copy, bytes), bytes, object);
	free(copy);
	return code;
}

void object__free(struct object *object)
{
	if (!object)
		return;
	table__free(object->table);
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
	       table__memory_bytes(object->table);
}
