// SPDX-License-Identifier: GPL-2.0-only
#include "run/elf_glance.h"

#include <elf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_SEGMENTS	256
#define MAX_SECTIONS	65535
#define MAX_TABLE_BYTES (64ULL << 20)

#ifdef __x86_64__
#define OUR_MACHINE EM_X86_64
#else
#define OUR_MACHINE EM_AARCH64
#endif

static bool read_at(int fd, void *bytes, size_t nr_bytes, uint64_t offset)
{
	return offset <= INT64_MAX &&
	       pread(fd, bytes, nr_bytes, (off_t)offset) == (ssize_t)nr_bytes;
}

static bool read_header(int fd, Elf64_Ehdr *header)
{
	return read_at(fd, header, sizeof(*header), 0) && header->e_ident[EI_CLASS] == ELFCLASS64 &&
	       header->e_ident[EI_DATA] == ELFDATA2LSB && header->e_machine == OUR_MACHINE;
}

static bool has_interpreter(int fd, const Elf64_Ehdr *header)
{
	for (unsigned int i = 0; i < header->e_phnum && i < MAX_SEGMENTS; i++) {
		Elf64_Phdr segment;

		if (!read_at(fd, &segment, sizeof(segment), header->e_phoff + i * sizeof(segment)))
			break;
		if (segment.p_type == PT_INTERP)
			return true;
	}
	return false;
}

struct elf_glance elf_glance__at(int fd)
{
	struct elf_glance glance = {0};
	char magic[SELFMAG];
	Elf64_Ehdr header;

	glance.is_elf = read_at(fd, magic, SELFMAG, 0) && !memcmp(magic, ELFMAG, SELFMAG);
	glance.is_native = glance.is_elf && read_header(fd, &header);
	glance.is_dynamic = glance.is_native && has_interpreter(fd, &header);
	return glance;
}

static bool read_section(int fd, const Elf64_Ehdr *header, unsigned int index, Elf64_Shdr *section)
{
	return index < header->e_shnum &&
	       read_at(fd, section, sizeof(*section), header->e_shoff + index * sizeof(*section));
}

/* Its contents, and a zero behind them; free() it. NULL: they are not to be had. */
static char *read_contents(int fd, const Elf64_Shdr *section)
{
	char *contents = NULL;

	if (section->sh_size <= MAX_TABLE_BYTES)
		contents = calloc(1, section->sh_size + 1);
	if (contents && !read_at(fd, contents, section->sh_size, section->sh_offset)) {
		free(contents);
		contents = NULL;
	}
	return contents;
}

static bool has_symbol(const Elf64_Sym *symbols, size_t nr_symbols, const char *names,
		       uint64_t nr_name_bytes, const char *symbol)
{
	for (size_t i = 0; i < nr_symbols; i++)
		if (symbols[i].st_shndx != SHN_UNDEF && symbols[i].st_name < nr_name_bytes &&
		    !strcmp(names + symbols[i].st_name, symbol))
			return true;
	return false;
}

bool elf_glance__exports(int fd, const char *symbol)
{
	Elf64_Shdr table = {0}, strings;
	char *symbols, *names;
	Elf64_Ehdr header;
	bool found;

	if (!read_header(fd, &header))
		return false;
	for (unsigned int i = 0; i < MAX_SECTIONS && table.sh_type != SHT_DYNSYM; i++)
		if (!read_section(fd, &header, i, &table))
			return false;
	if (table.sh_type != SHT_DYNSYM || !read_section(fd, &header, table.sh_link, &strings))
		return false;
	symbols = read_contents(fd, &table);
	names = read_contents(fd, &strings);
	found = symbols && names &&
		has_symbol((const Elf64_Sym *)(const void *)symbols,
			   table.sh_size / sizeof(Elf64_Sym), names, strings.sh_size, symbol);
	free(symbols);
	free(names);
	return found;
}
