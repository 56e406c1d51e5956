/* SPDX-License-Identifier: GPL-2.0-only */
/* What the dynamic loader will write into a program. */
#ifndef TOPSTACKS_ELF_RELOCATIONS_H
#define TOPSTACKS_ELF_RELOCATIONS_H

#include <gelf.h>
#include <stdbool.h>

struct elf_file;

/* Calls on_relocation for what the dynamic loader will do, until that returns false. */
void elf_relocations__each(struct elf_file *file,
			   bool (*on_relocation)(void *context, const GElf_Rela *relocation),
			   void *context);

#endif
