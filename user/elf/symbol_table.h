/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols of one file or of the kernel: a sorted array of ranges that do not overlap, 24 bytes each
 * besides the names, found by binary search. Addresses are kept as 32 bit distances from the first.
 */
#ifndef TOPSTACKS_ELF_SYMBOL_TABLE_H
#define TOPSTACKS_ELF_SYMBOL_TABLE_H

#include "base/common.h"

struct symbol_name;
struct symbol_table;

/* A symbol, or the part of it that no inner symbol covers. */
struct symbol_range {
	uint32_t start; /* relative to base */
	uint32_t size;
	uint32_t into; /* offset of this range within the symbol */
	uint32_t name; /* offset in names */
};

/* Sorted by address, without overlap. */
struct symbol_ranges {
	uint64_t base;
	struct symbol_range *ranges;
	size_t nr_ranges;
	char *names; /* each terminated */
	size_t names_bytes;
};

/* Makes a table; takes over ranges and names, from malloc(), in any case. NULL: out of memory. */
struct symbol_table *symbol_table__new(const struct symbol_ranges *ranges);

/* The size of the table's image for another process, and writing it. 0 or negative errno. */
size_t symbol_table__image_bytes(const struct symbol_table *table);
int symbol_table__write(const struct symbol_table *table, int fd);

/*
 * Makes a table of an untrusted image, aligned to 8, which must stay until the table is freed. 0;
 * -EBADMSG: not valid; -ENOMEM.
 */
int symbol_table__open(const void *bytes, size_t nr_bytes, struct symbol_table **table);

void symbol_table__free(struct symbol_table *table);

struct found_symbol {
	const char *name;		 /* terminated; lives as long as the table; "": none */
	uint64_t start;			 /* of the symbol */
	const struct symbol_name **slot; /* for the caller's converted name; NULL at first */
};

/* Finds the innermost symbol that contains the address: the one that starts last. */
bool symbol_table__find(const struct symbol_table *table, uint64_t address,
			struct found_symbol *found);

/*
 * The same for the call at address, which returns to returns_to (the same for a leaf). If no symbol
 * is at the call, a return address was set up to the start of a function: that function has no
 * caller.
 */
bool symbol_table__find_caller(const struct symbol_table *table, uint64_t address,
			       uint64_t returns_to, struct found_symbol *found);

/*
 * The end of a found symbol, which inner symbols may interrupt. The search stops after very many of
 * them.
 */
uint64_t symbol_table__end(const struct symbol_table *table, const struct found_symbol *found);

/* Whether a symbol has this name. Compares all of them. */
bool symbol_table__has(const struct symbol_table *table, const char *name);

size_t symbol_table__memory_bytes(const struct symbol_table *table);

#endif
