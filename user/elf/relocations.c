// SPDX-License-Identifier: GPL-2.0-only
/*
 * The relocations of a program, with their addends (SHT_RELA), which are all that x86-64 and
 * aarch64 have.
 */
#include "elf/relocations.h"

#include "elf/file.h"

/* False: on_relocation wants no more. */
static bool walk_section(struct elf_file *file, const struct elf_section *section,
			 bool (*on_relocation)(void *context, const GElf_Rela *relocation),
			 void *context)
{
	const size_t entry_bytes = gelf_fsize(file->elf, ELF_T_RELA, 1, EV_CURRENT);
	GElf_Rela relocation;
	Elf_Data *data;
	size_t i;

	if (entry_bytes == 0 || section->header.sh_entsize != entry_bytes)
		return true;
	data = elf_file__data(file, section);
	for (i = 0; data && i < data->d_size / entry_bytes; i++)
		if (gelf_getrela(data, (int)i, &relocation) && !on_relocation(context, &relocation))
			return false;
	return true;
}

void elf_relocations__each(struct elf_file *file,
			   bool (*on_relocation)(void *context, const GElf_Rela *relocation),
			   void *context)
{
	struct elf_section section;
	size_t i;

	for (i = 1; i < file->nr_sections; i++)
		if (elf_file__section(file, i, &section) && section.header.sh_type == SHT_RELA &&
		    (section.header.sh_flags & SHF_ALLOC) &&
		    !walk_section(file, &section, on_relocation, context))
			return;
}
