/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions that a symbol table of an ELF file names. */
#ifndef TOPSTACKS_SYMBOLS_ELF_SYMBOLS_H
#define TOPSTACKS_SYMBOLS_ELF_SYMBOLS_H

#include <elf.h>
#include <stdint.h>

struct builder;
struct elf_file;

/* Addresses that another source names better; equal: none. */
struct named_range {
	uint64_t start, end;
};

/*
 * Adds what the first section of that type (SHT_SYMTAB, SHT_DYNSYM) says; the names are the file's
 * and live as long as it is open. What cannot be read is left out. How many were added, -ENOMEM, or
 * -E2BIG: more than a table takes.
 */
long elf_symbols__add(const struct elf_file *file, uint32_t type, const struct named_range *named,
		      struct builder *builder);

#endif
