/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols of one file or of the kernel: collected by a builder in any order, then a sorted array of
 * ranges that do not overlap, 24 bytes each besides the names, found by binary search.
 */
#ifndef TOPSTACKS_ELF_SYMBOL_TABLE_H
#define TOPSTACKS_ELF_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_entry;
struct symbol_name;
struct symbol_table;

#define SYMBOL_MAX_NAME_BYTES (1U << 20) /* a longer one is no name */

/* Which of several names for one place is shown: the lowest. */
enum binding {
	BINDING_GLOBAL,
	BINDING_WEAK,
	BINDING_LOCAL,
};

/*
 * What a source knows of a symbol. A size is a statement and its absence a guess: a symbol without
 * one covers what follows it, until the next symbol or for `size` bytes at most, and nothing that a
 * sized symbol covers.
 */
struct symbol {
	uint64_t start;
	uint64_t size;
	bool sized;
	enum binding binding;
	const char *name; /* not terminated; borrowed until symbol_builder__finish */
	size_t name_length;
};

/* Zeroed at first. */
struct symbol_builder {
	struct symbol_entry *entries;
	size_t nr_entries, capacity;
	size_t names_bytes;
};

/* Drops what was collected. */
void symbol_builder__fini(struct symbol_builder *builder);

/*
 * 0, -ENOMEM, or -E2BIG: more symbols or names than anybody's file has. Names have no zeros; a
 * source looks at no more than SYMBOL_MAX_NAME_BYTES of each, and what it looked at counts.
 */
int symbol_builder__add(struct symbol_builder *builder, const struct symbol *symbol);

/* Leaves the builder empty. NULL: out of memory. */
struct symbol_table *symbol_builder__finish(struct symbol_builder *builder);

void symbol_table__free(struct symbol_table *table);

struct found_symbol {
	const char *name;		 /* as added, terminated; lives as long as the table */
	uint64_t start;			 /* of the symbol */
	const struct symbol_name **slot; /* for the caller: what the name became; NULL at first */
};

/* The innermost symbol that contains the address: the one that starts last. */
bool symbol_table__find(const struct symbol_table *table, uint64_t address,
			struct found_symbol *found);

size_t symbol_table__memory_bytes(const struct symbol_table *table);

#endif
