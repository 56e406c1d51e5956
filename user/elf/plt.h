/* SPDX-License-Identifier: GPL-2.0-only */
/* What the stubs of a procedure linkage table jump to: "memcpy@plt". */
#ifndef TOPSTACKS_ELF_PLT_H
#define TOPSTACKS_ELF_PLT_H

struct symbol_builder;
struct elf_file;
struct objalloc;

/* Adds the stubs of x86-64; names are allocated there. 0, -ENOMEM, or -E2BIG: too many of them. */
int elf_plt__add(struct elf_file *file, struct objalloc *names, struct symbol_builder *builder);

#endif
