/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols of one file or of the kernel: a sorted array of ranges that do not overlap, 24 bytes each
 * besides the names, found by binary search. Addresses are kept as 32 bit distances from the first.
 */
#ifndef TOPSTACKS_ELF_SYMBOL_TABLE_H
#define TOPSTACKS_ELF_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_name;
struct symbol_table;

/* A symbol, or the part of it that no other symbol has. */
struct symbol_range {
	uint32_t start; /* - base */
	uint32_t size;
	uint32_t into; /* bytes from the symbol's start to this range */
	uint32_t name; /* in names */
};

/* In order of address. They do not overlap. */
struct symbol_ranges {
	uint64_t base;
	struct symbol_range *ranges;
	size_t nr_ranges;
	char *names; /* each ends with a zero */
	size_t names_bytes;
};

/* Takes ranges and names, which malloc has made, in any case. NULL: out of memory. */
struct symbol_table *symbol_table__new(const struct symbol_ranges *ranges);

/*
 * For another process: how many bytes it takes, and writing them. 0 or negative errno.
 */
size_t symbol_table__image_bytes(const struct symbol_table *table);
int symbol_table__write(const struct symbol_table *table, int fd);

/*
 * Uses such bytes, of anybody's, as they are; they are aligned to 8, and stay until the table is
 * freed. 0; -EBADMSG: they are no table; -ENOMEM.
 */
int symbol_table__open(const void *bytes, size_t nr_bytes, struct symbol_table **table);

void symbol_table__free(struct symbol_table *table);

struct found_symbol {
	const char *name; /* as added, terminated; lives as long as the table; "": none */
	uint64_t start;	  /* of the symbol */
	const struct symbol_name **slot; /* for the caller: what the name became; NULL at first */
};

/* The innermost symbol that contains the address: the one that starts last. */
bool symbol_table__find(const struct symbol_table *table, uint64_t address,
			struct found_symbol *found);

/*
 * Likewise for code that was called from address, and returns to another one (of a leaf: the same one).
 * Where nothing is at the call, somebody made it return to where a function starts: nobody called it.
 */
bool symbol_table__find_caller(const struct symbol_table *table, uint64_t address,
			       uint64_t returns_to, struct found_symbol *found);

/*
 * Where a symbol ends that was found there. Others may have parts within it; what is behind very many of
 * them does not count.
 */
uint64_t symbol_table__end(const struct symbol_table *table, const struct found_symbol *found);

/* Whether a symbol is called so. Looks at all of them. */
bool symbol_table__has(const struct symbol_table *table, const char *name);

size_t symbol_table__memory_bytes(const struct symbol_table *table);

#endif
