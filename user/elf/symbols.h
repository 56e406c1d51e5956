/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions that a symbol table of an ELF file names. */
#ifndef TOPSTACKS_ELF_SYMBOLS_H
#define TOPSTACKS_ELF_SYMBOLS_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_builder;
struct elf_file;

/* Addresses that another source names better; equal: none. */
struct named_range {
	uint64_t start, end;
};

/* How many functions a symbol table has, and how many of them other files may see. */
struct symbol_counts {
	size_t functions, exported;
};

/*
 * Adds what the first section of that type (SHT_SYMTAB, SHT_DYNSYM) says; the names are the file's
 * and live as long as it is open. What cannot be read is left out. 0, -ENOMEM, or -E2BIG: more than
 * a table takes. counts may be NULL.
 */
int elf_symbols__add(struct elf_file *file, uint32_t type, const struct named_range *named,
		     struct symbol_builder *builder, struct symbol_counts *counts);

/* The same without adding anything. 0 or -ENOMEM. */
int elf_symbols__count(struct elf_file *file, uint32_t type, struct symbol_counts *counts);

#endif
