/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of an ELF file: in symbol tables, in Go's own table, by their stubs, and without a
 * name as .eh_frame has them.
 */
#ifndef TOPSTACKS_ELF_SYMBOLS_H
#define TOPSTACKS_ELF_SYMBOLS_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file;
struct objalloc;
struct symbol;
struct symbol_builder;

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
 * a table takes. builder NULL: only counts; counts may be NULL.
 */
int elf_symbols__add(struct elf_file *file, uint32_t type, const struct named_range *named,
		     struct symbol_builder *builder, struct symbol_counts *counts);

/* A symbol of code. */
struct code_symbol {
	const char *name; /* not terminated; the file's */
	size_t length;	  /* without a version */
	uint64_t start, size;
	bool is_chooser; /* no function, but one that chooses one when a program starts */
};

/*
 * Shows each one of the first section of that type, as elf_symbols__add; aliases are all shown. 0, -ENOMEM, or
 * -E2BIG: more names than a file of that size has.
 */
int elf_symbols__each(struct elf_file *file, uint32_t type,
		      void (*see)(void *context, const struct code_symbol *symbol), void *context);

/* What somebody means by its name, be it a function or data. */
struct named_place {
	const char *name; /* without a version */
	uint64_t address, size;
	bool is_found;
};

/*
 * Looks for all of them in the first section of that type, unless that and its strings have more than
 * max_bytes, or no name is like that of the first one; what was found before stays.
 */
void elf_symbols__locate(struct elf_file *file, uint32_t type, uint64_t max_bytes,
			 struct named_place *places, size_t nr_places);

/*
 * Adds the functions of a Go program, from the table that it carries for its own use: *named is
 * what it covers, empty if there is none. The names are the file's. Returns as elf_symbols__add.
 */
int gopclntab__add(struct elf_file *file, struct symbol_builder *builder,
		   struct named_range *named);

/*
 * Hands over where each function begins and ends as .eh_frame says it, in no order, until take returns
 * another number than 0, which is returned.
 */
int eh_frame__each(struct elf_file *file, int (*take)(void *context, const struct symbol *function),
		   void *context);

/*
 * Adds where the functions outside of *named begin and end, as .eh_frame says it, without names.
 * Returns as elf_symbols__add.
 */
int eh_frame__add(struct elf_file *file, const struct named_range *named,
		  struct symbol_builder *builder);

/*
 * Adds the stubs of x86-64's procedure linkage table, "memcpy@plt"; names are allocated there.
 * Returns as elf_symbols__add.
 */
int elf_plt__add(struct elf_file *file, struct objalloc *names, struct symbol_builder *builder);

#endif
