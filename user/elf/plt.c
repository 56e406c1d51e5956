// SPDX-License-Identifier: GPL-2.0-only
/*
 * No symbol table has the stubs. What one is called follows from what it does: it jumps to where a
 * slot of the GOT points, and the relocation of that slot has the function's name. So the order of
 * stubs, which differs between linkers, does not matter.
 *
 *	[f3 0f 1e fa]		endbr64		with -z ibtplt, in .plt.sec
 *	[41 bb ....]		mov $N, %r11d	mold
 *	[f2] ff 25 ....		jmp *slot(%rip)
 */
#include "elf/symbols.h"

#include <endian.h>
#include <errno.h>
#include <libiberty/ansidecl.h>
#include <libiberty/objalloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "elf/file.h"
#include "elf/symbol_builder.h"

#define MAX_NAMES_BYTES (64U << 20)
#define MAX_SLOTS	(4U << 20)

static const char suffix[] = "@plt";

/* A slot of the GOT that the dynamic loader fills with a function's address. */
struct slot {
	uint64_t address;
	uint64_t symbol; /* in .dynsym */
};

struct plt_reader {
	struct elf_file *file;
	struct symbol_builder *builder;
	struct objalloc *memory;
	size_t names_bytes;
	struct slot *slots; /* by address */
	size_t nr_slots, capacity;
	Elf_Data *symbols;
	const Elf_Data *strings;
	int error;
};

/* ---- slots ---- */

static bool add_slot(void *context, const GElf_Rela *relocation)
{
	const uint64_t type = GELF_R_TYPE(relocation->r_info);
	struct plt_reader *reader = context;

	if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT)
		return true;
	if (reader->nr_slots == MAX_SLOTS)
		return false;
	reader->error = array__reserve(&reader->slots, &reader->capacity, reader->nr_slots + 1);
	if (reader->error)
		return false;
	reader->slots[reader->nr_slots++] =
		(struct slot){relocation->r_offset, GELF_R_SYM(relocation->r_info)};
	return true;
}

static int compare_slots(const void *left, const void *right)
{
	const struct slot *a = left, *b = right;

	return (a->address > b->address) - (a->address < b->address);
}

/* The bytes of a function's name; *length 0: it has none. */
static const char *name_of_slot(struct plt_reader *reader, uint64_t address, size_t *length)
{
	const struct slot wanted = {.address = address};
	const struct slot *slot =
		bsearch(&wanted, reader->slots, reader->nr_slots, sizeof(*slot), compare_slots);
	GElf_Sym symbol;
	const char *name;

	*length = 0;
	if (!slot || slot->symbol > INT32_MAX ||
	    !gelf_getsym(reader->symbols, (int)slot->symbol, &symbol) ||
	    symbol.st_name >= reader->strings->d_size)
		return NULL;
	name = (const char *)reader->strings->d_buf + symbol.st_name;
	reader->error = symbol_builder__measure(reader->builder, name,
						reader->strings->d_size - symbol.st_name, length);
	return name;
}

/* ---- stubs ---- */

/* The slot that a stub jumps through, or 0. */
static uint64_t decode_stub(const unsigned char *stub, size_t bytes, uint64_t address)
{
	static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	uint32_t distance;
	size_t at = 0;

	if (bytes >= 16 && !memcmp(stub, endbr64, sizeof(endbr64)))
		at += sizeof(endbr64);
	if (bytes >= 16 && stub[at] == 0x41 && stub[at + 1] == 0xbb)
		at += 6;
	if (stub[at] == 0xf2)
		at++;
	if (at + 6 > bytes || stub[at] != 0xff || stub[at + 1] != 0x25)
		return 0;
	memcpy(&distance, stub + at + 2, sizeof(distance));
	return address + at + 6 + (uint64_t)(int32_t)le32toh(distance);
}

static int name_stub(struct plt_reader *reader, uint64_t slot, uint64_t address, uint64_t bytes)
{
	size_t length;
	const char *function = name_of_slot(reader, slot, &length);
	char *name;

	if (reader->error || !length)
		return reader->error;
	reader->names_bytes += length + sizeof(suffix);
	if (reader->names_bytes > MAX_NAMES_BYTES)
		return -E2BIG;
	name = objalloc_alloc(reader->memory, length + sizeof(suffix));
	if (!name)
		return -ENOMEM;
	memcpy(name, function, length);
	memcpy(name + length, suffix, sizeof(suffix));
	return symbol_builder__add(reader->builder,
				   &(struct symbol){
					   .start = address,
					   .size = bytes,
					   .sized = true,
					   .binding = BINDING_LOCAL,
					   .name = name,
					   .name_length = length + sizeof(suffix) - 1,
				   });
}

/* Stubs have 16 bytes, those of .plt.got may have 8: the section says it. */
static int read_stubs(struct plt_reader *reader, const char *section_name)
{
	struct elf_section section;
	const Elf_Data *data;
	size_t bytes = 16, offset;
	uint64_t slot;
	int code = 0;

	if (!elf_file__find(reader->file, section_name, &section) ||
	    !(section.header.sh_flags & SHF_EXECINSTR))
		return 0;
	data = elf_file__data(reader->file, &section);
	if (section.header.sh_entsize == 8)
		bytes = 8;
	for (offset = 0; data && !code && offset + bytes <= data->d_size; offset += bytes) {
		const uint64_t address = section.header.sh_addr + offset;

		slot = decode_stub((const unsigned char *)data->d_buf + offset, bytes, address);
		if (slot)
			code = name_stub(reader, slot, address, bytes);
	}
	return code;
}

static bool open_tables(struct plt_reader *reader)
{
	struct elf_section symbols, strings;

	if (!elf_file__find_type(reader->file, SHT_DYNSYM, &symbols) ||
	    !elf_file__section(reader->file, symbols.header.sh_link, &strings) ||
	    strings.header.sh_type != SHT_STRTAB)
		return false;
	reader->symbols = elf_file__data(reader->file, &symbols);
	reader->strings = elf_file__data(reader->file, &strings);
	if (!reader->symbols || !reader->strings)
		return false;
	symbol_builder__expect(reader->builder, reader->symbols->d_size + reader->strings->d_size);
	return true;
}

static int read_all_stubs(struct plt_reader *reader)
{
	static const char *const sections[] = {".plt", ".plt.sec", ".plt.got"};
	size_t i;

	elf_file__each_relocation(reader->file, add_slot, reader);
	if (!reader->nr_slots)
		return reader->error;
	qsort(reader->slots, reader->nr_slots, sizeof(*reader->slots), compare_slots);
	for (i = 0; i < sizeof(sections) / sizeof(sections[0]) && !reader->error; i++)
		reader->error = read_stubs(reader, sections[i]);
	return reader->error;
}

int elf_plt__add(struct elf_file *file, struct objalloc *names, struct symbol_builder *builder)
{
	struct plt_reader reader = {.file = file, .memory = names, .builder = builder};
	int code;

	if (file->header.e_machine != EM_X86_64 || !open_tables(&reader))
		return 0;
	code = read_all_stubs(&reader);
	free(reader.slots);
	return code;
}
