// SPDX-License-Identifier: GPL-2.0-only
/* Go's table of functions with anything in it, in a program of 4 KB of code that is all right. */
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "elf/file.h"
#include "elf/symbol_builder.h"
#include "elf/symbol_table.h"
#include "elf/symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TEXT	   0x401000
#define TEXT_BYTES 0x1000

static const char names[] = "\0.text\0.gopclntab\0.shstrtab";

struct program {
	Elf64_Ehdr header;
	Elf64_Shdr sections[4];
	char names[sizeof(names)];
	unsigned char table[];
};

static struct program *make_program(const uint8_t *data, size_t size)
{
	struct program *program = calloc(1, sizeof(*program) + size);

	if (!program)
		return NULL;
	memcpy(program->header.e_ident, ELFMAG, SELFMAG);
	program->header.e_ident[EI_CLASS] = ELFCLASS64;
	program->header.e_ident[EI_DATA] = ELFDATA2LSB;
	program->header.e_ident[EI_VERSION] = EV_CURRENT;
	program->header.e_type = ET_EXEC;
	program->header.e_machine = EM_X86_64;
	program->header.e_version = EV_CURRENT;
	program->header.e_ehsize = sizeof(program->header);
	program->header.e_shoff = offsetof(struct program, sections);
	program->header.e_shentsize = sizeof(program->sections[0]);
	program->header.e_shnum = 4;
	program->header.e_shstrndx = 3;
	program->sections[1] = (Elf64_Shdr){.sh_name = 1,
					    .sh_type = SHT_NOBITS,
					    .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
					    .sh_addr = TEXT,
					    .sh_size = TEXT_BYTES};
	program->sections[2] = (Elf64_Shdr){.sh_name = 7,
					    .sh_type = SHT_PROGBITS,
					    .sh_offset = offsetof(struct program, table),
					    .sh_size = size};
	program->sections[3] = (Elf64_Shdr){.sh_name = 18,
					    .sh_type = SHT_STRTAB,
					    .sh_offset = offsetof(struct program, names),
					    .sh_size = sizeof(names)};
	memcpy(program->names, names, sizeof(names));
	memcpy(program->table, data, size);
	return program;
}

static void require(int condition)
{
	if (!condition)
		abort();
}

/* Functions stay within the code. */
static void read_table(struct elf_file *file)
{
	struct symbol_builder *builder = &(struct symbol_builder){0};
	struct named_range named;
	struct symbol_table *table;
	struct found_symbol found;

	if (gopclntab__add(file, builder, &named)) {
		symbol_builder__fini(builder);
		return;
	}
	require(named.start <= named.end);
	require(named.end == 0 || (named.start >= TEXT && named.end <= TEXT + TEXT_BYTES));
	table = symbol_builder__finish(builder);
	for (uint64_t address = TEXT - 8; table && address < TEXT + TEXT_BYTES + 8; address++)
		if (symbol_table__find(table, address, &found))
			require(address >= named.start && address < named.end && found.name[0]);
	symbol_table__free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct program *program = make_program(data, size);
	struct elf_file file;

	if (!program || elf_file__open_memory(&file, program, sizeof(*program) + size))
		return 0;
	read_table(&file);
	elf_file__close(&file);
	return 0;
}
