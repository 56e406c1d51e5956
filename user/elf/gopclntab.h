/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of a Go program, from the table that it carries for its own use. */
#ifndef TOPSTACKS_ELF_GOPCLNTAB_H
#define TOPSTACKS_ELF_GOPCLNTAB_H

#include <stddef.h>
#include <stdint.h>

struct symbol_builder;
struct elf_file;
struct named_range;

/*
 * Adds what the table says, and where: *named is what it covers, empty if there is none. The names
 * are the file's and live as long as it is open. 0, -ENOMEM, or -E2BIG: more than a table takes.
 */
int gopclntab__add(struct elf_file *file, struct symbol_builder *builder,
		   struct named_range *named);

#endif
