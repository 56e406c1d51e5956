/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of an ELF file: from symbol tables, from Go's own table, stubs of the PLT, and
 * functions without a name from .eh_frame.
 */
#ifndef TOPSTACKS_ELF_SYMBOLS_H
#define TOPSTACKS_ELF_SYMBOLS_H

#include <elf.h>

#include "base/common.h"

struct elf_file;
struct objalloc;
struct symbol;
struct symbol_builder;

/* Addresses that another source names better; start equals end: none. */
struct named_range {
	uint64_t start, end;
};

/* Number of functions in a symbol table, and of those visible to other files. */
struct symbol_counts {
	size_t functions, exported;
};

/*
 * Adds the functions of the first section of the type (SHT_SYMTAB, SHT_DYNSYM); names belong to the
 * file and live while it is open. Skips unreadable parts. 0, -ENOMEM, or -E2BIG: more than a table
 * takes. builder NULL: only counts; counts may be NULL.
 */
int elf_symbols__add(struct elf_file *file, uint32_t type, const struct named_range *named,
		     struct symbol_builder *builder, struct symbol_counts *counts);

/* A symbol of code. */
struct code_symbol {
	const char *name; /* not terminated; belongs to the file */
	size_t length;	  /* without a version */
	uint64_t start, size;
	bool is_chooser; /* an indirect function: its resolver chooses a function at load time */
};

/*
 * Calls see for each function of the first section of the type, as in elf_symbols__add(), also for
 * aliases. 0, -ENOMEM, or -E2BIG: more names than any valid file of that size has.
 */
int elf_symbols__each(struct elf_file *file, uint32_t type,
		      void (*see)(void *context, const struct code_symbol *symbol), void *context);

/* A function or data object to look up by name. */
struct named_place {
	const char *name; /* without a version */
	uint64_t address, size;
	bool is_found;
};

/*
 * Looks all places up in the first section of the type. Skips it if it and its strings have more
 * than max_bytes, or its strings do not contain the first name. Earlier results stay.
 */
void elf_symbols__locate(struct elf_file *file, uint32_t type, uint64_t max_bytes,
			 struct named_place *places, size_t nr_places);

/*
 * Adds the functions of a Go program from its own table. *named: the range that the table covers,
 * empty if there is none. Names belong to the file. Returns as elf_symbols__add().
 */
int gopclntab__add(struct elf_file *file, struct symbol_builder *builder,
		   struct named_range *named);

/*
 * Calls take with the begin and end of each function in .eh_frame, in no order, until it returns
 * non-zero, and returns that.
 */
int eh_frame__each(struct elf_file *file, int (*take)(void *context, const struct symbol *function),
		   void *context);

/*
 * Adds the functions of .eh_frame outside of *named, without names. Returns as elf_symbols__add().
 */
int eh_frame__add(struct elf_file *file, const struct named_range *named,
		  struct symbol_builder *builder);

/*
 * Adds the stubs of x86-64's procedure linkage table, as "memcpy@plt"; allocates their names in
 * names. Returns as elf_symbols__add().
 */
int elf_plt__add(struct elf_file *file, struct objalloc *names, struct symbol_builder *builder);

#endif
