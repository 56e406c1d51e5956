// SPDX-License-Identifier: GPL-2.0-only
#include "readers/dwarf_file.h"

/*
 * Whether the section holds strings. libdw 0.188 returns strings from these without checking that
 * the last one is terminated.
 */
static bool holds_strings(const char *name)
{
	static const char *const names[] = {".debug_str", ".debug_line_str", ".zdebug_str",
					    ".zdebug_line_str"};

	for (size_t i = 0; name && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Whether the last string ends in each section of strings, which libdw has decompressed already. */
static bool all_strings_end(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		const Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS ||
		    !holds_strings(elf_strptr(elf, names, header.sh_name)))
			continue;
		data = elf_rawdata(section, NULL);
		if (data && data->d_buf && data->d_size &&
		    ((const char *)data->d_buf)[data->d_size - 1])
			return false;
	}
	return true;
}

struct dwarf_file dwarf_file__open(int fd)
{
	struct dwarf_file file = {.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL)};

	file.dwarf = dwarf_begin_elf(file.elf, DWARF_C_READ, NULL);
	if (file.dwarf && !all_strings_end(file.elf))
		dwarf_file__close(&file);
	return file;
}

void dwarf_file__close(struct dwarf_file *file)
{
	dwarf_end(file->dwarf);
	elf_end(file->elf);
	*file = (struct dwarf_file){0};
}

struct line_programs dwarf_file__line_programs(const struct dwarf_file *file)
{
	const char *ident = elf_getident(file->elf, NULL);
	Elf_Scn *section = NULL;
	const char *name;
	GElf_Shdr header;
	size_t names;

	if (!ident || ident[EI_DATA] != ELFDATA2LSB || elf_getshdrstrndx(file->elf, &names))
		return (struct line_programs){0};
	while ((section = elf_nextscn(file->elf, section))) {
		const Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(file->elf, names, header.sh_name);
		if (!name ||
		    (strcmp(name, ".debug_line") != 0 && strcmp(name, ".zdebug_line") != 0))
			continue;
		data = elf_rawdata(section, NULL); /* libdw has decompressed it already */
		if (data && data->d_buf)
			return (struct line_programs){data->d_buf, data->d_size};
	}
	return (struct line_programs){0};
}
