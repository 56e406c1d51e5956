// SPDX-License-Identifier: GPL-2.0-only
#include "readers/dwarf_file.h"

#include <stdbool.h>
#include <string.h>

/* libdw 0.188 gives out what lies in these as strings, and does not look whether the last one ends. */
static bool holds_strings(const char *name)
{
	static const char *const names[] = {".debug_str", ".debug_line_str", ".zdebug_str",
					    ".zdebug_line_str"};

	for (size_t i = 0; name && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* It was decompressed when libdw began. */
static bool ends(Elf_Scn *section)
{
	const Elf_Data *data = elf_rawdata(section, NULL);
	const char *bytes = data ? data->d_buf : NULL;

	return !bytes || !data->d_size || !bytes[data->d_size - 1];
}

static bool all_strings_end(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type != SHT_NOBITS &&
		    holds_strings(elf_strptr(elf, names, header.sh_name)) && !ends(section))
			return false;
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
