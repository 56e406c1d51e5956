// SPDX-License-Identifier: GPL-2.0-only
/*
 * No symbol table has the stubs. A stub is named by what it does: it jumps to where a
 * slot of the GOT points, and the relocation of that slot has the function's name. So the order of
 * stubs, which differs between linkers, does not matter.
 *
 *	[f3 0f 1e fa]		endbr64		with -z ibtplt, in .plt.sec
 *	[41 bb ....]		mov $N, %r11d	mold
 *	[f2] ff 25 ....		jmp *slot(%rip)
 *
 * aarch64:
 *
 *	[bti c] adrp x16, page; ldr x17, [x16, offset]; add x16, x16, offset; [autia1716] br x17
 */
#include "elf/symbols.h"

#include <endian.h>
#include <libiberty/ansidecl.h>
#include <libiberty/objalloc.h>

#include "elf/file.h"
#include "elf/symbol_builder.h"

#define MAX_NAMES_BYTES (64U << 20)
#define MAX_SLOTS	(4U << 20)

static const char suffix[] = "@plt";

/* A GOT slot that the dynamic loader fills with a function's address. */
struct slot {
	uint64_t address;
	uint64_t symbol; /* in .dynsym */
};

struct stub {
	uint64_t slot; /* the slot that it jumps through; 0: not a stub */
	size_t bytes;  /* its size; or the distance to a possible next one */
};

struct plt_machine {
	uint16_t name; /* machine, EM_... */
	uint32_t jump_slot, glob_dat;
	/*
	 * Decodes the stub at code, which is at an address. bytes: size of stubs, from the section
	 * header.
	 */
	struct stub (*decode)(const unsigned char *code, size_t left, size_t bytes,
			      uint64_t address);
};

struct plt_reader {
	const struct plt_machine *machine;
	struct elf_file *file;
	struct symbol_builder *builder;
	struct objalloc *memory;
	size_t names_bytes;
	struct slot *slots; /* sorted by address */
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

	if (type != reader->machine->jump_slot && type != reader->machine->glob_dat)
		return true;
	if (reader->nr_slots == MAX_SLOTS)
		return false;
	reader->error = array__try_reserve(&reader->slots, &reader->capacity, reader->nr_slots + 1);
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

/* ---- stubs ---- */

static struct stub decode_x86_64(const unsigned char *code, size_t left, size_t bytes,
				 uint64_t address)
{
	static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	struct stub stub = {.bytes = bytes};
	uint32_t distance;
	size_t at = 0;

	if (left < bytes)
		return stub;
	if (bytes >= 16 && !memcmp(code, endbr64, sizeof(endbr64)))
		at += sizeof(endbr64);
	if (bytes >= 16 && code[at] == 0x41 && code[at + 1] == 0xbb)
		at += 6;
	if (code[at] == 0xf2)
		at++;
	if (at + 6 > bytes || code[at] != 0xff || code[at + 1] != 0x25)
		return stub;
	memcpy(&distance, code + at + 2, sizeof(distance));
	stub.slot = address + at + 6 + (uint64_t)(int32_t)le32toh(distance);
	return stub;
}

static uint32_t instruction_at(const unsigned char *code, size_t number)
{
	uint32_t instruction;

	memcpy(&instruction, code + number * sizeof(instruction), sizeof(instruction));
	return le32toh(instruction);
}

static struct stub decode_aarch64(const unsigned char *code, size_t left, size_t bytes,
				  uint64_t address)
{
	const size_t has_bti = left >= 4 && instruction_at(code, 0) == 0xd503245f;
	size_t length = 4 * (4 + has_bti);
	uint32_t adrp, ldr, nr_pages;
	uint64_t page;

	(void)bytes; /* stubs of one section have different sizes */
	if (left < length)
		return (struct stub){.bytes = 4};
	if (instruction_at(code, has_bti + 3) == 0xd503219f) /* autia1716, with -z pac-plt */
		length += 4;
	if (left < length)
		return (struct stub){.bytes = 4};
	adrp = instruction_at(code, has_bti);
	ldr = instruction_at(code, has_bti + 1);
	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211 ||
	    (instruction_at(code, has_bti + 2) & 0xff8003ff) != 0x91000210 ||
	    instruction_at(code, length / 4 - 1) != 0xd61f0220)
		return (struct stub){.bytes = 4};
	/* adrp has a signed number of pages in 21 bits, in two parts. */
	nr_pages = (adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3);
	page = ((address + 4 * has_bti) & ~0xfffULL) +
	       ((uint64_t)((int64_t)((uint64_t)nr_pages << 43) >> 43) << 12);
	return (struct stub){page + (ldr >> 10 & 0xfff) * 8, length};
}

static const struct plt_machine machines[] = {
	{EM_X86_64, R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, decode_x86_64},
	{EM_AARCH64, R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, decode_aarch64},
};

static int name_stub(struct plt_reader *reader, uint64_t slot_address, uint64_t address,
		     uint64_t bytes)
{
	const struct slot wanted = {.address = slot_address};
	const struct slot *slot =
		bsearch(&wanted, reader->slots, reader->nr_slots, sizeof(*slot), compare_slots);
	const char *function;
	GElf_Sym symbol;
	size_t length;
	char *name;

	if (!slot || slot->symbol > INT32_MAX ||
	    !gelf_getsym(reader->symbols, (int)slot->symbol, &symbol) ||
	    symbol.st_name >= reader->strings->d_size)
		return reader->error;
	function = (const char *)reader->strings->d_buf + symbol.st_name;
	reader->error = symbol_builder__measure(reader->builder, function,
						reader->strings->d_size - symbol.st_name, &length);
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

/*
 * Reads the stubs of a section. Stubs of x86-64 have 16 bytes, those of .plt.got may have 8: the
 * section header tells.
 */
static int read_stubs(struct plt_reader *reader, const char *section_name)
{
	struct elf_section section;
	const Elf_Data *data;
	size_t bytes = 16, offset;
	struct stub stub;
	int code = 0;

	if (!elf_file__find(reader->file, section_name, &section) ||
	    !(section.header.sh_flags & SHF_EXECINSTR))
		return 0;
	data = elf_file__data(reader->file, &section);
	if (section.header.sh_entsize == 8)
		bytes = 8;
	for (offset = 0; data && !code && offset < data->d_size; offset += stub.bytes) {
		const uint64_t address = section.header.sh_addr + offset;

		stub = reader->machine->decode((const unsigned char *)data->d_buf + offset,
					       data->d_size - offset, bytes, address);
		if (stub.slot)
			code = name_stub(reader, stub.slot, address, stub.bytes);
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

int elf_plt__add(struct elf_file *file, struct objalloc *names, struct symbol_builder *builder)
{
	static const char *const sections[] = {".plt", ".plt.sec", ".plt.got"};
	struct plt_reader reader = {.file = file, .memory = names, .builder = builder};

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].name == file->header.e_machine)
			reader.machine = &machines[i];
	if (!reader.machine || !open_tables(&reader))
		return 0;
	elf_file__each_relocation(file, add_slot, &reader);
	if (!reader.nr_slots)
		return reader.error;
	qsort(reader.slots, reader.nr_slots, sizeof(*reader.slots), compare_slots);
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]) && !reader.error; i++)
		reader.error = read_stubs(&reader, sections[i]);
	free(reader.slots);
	return reader.error;
}
