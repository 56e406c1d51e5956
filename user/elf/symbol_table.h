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
	size_t names_bytes;  /* of the symbols */
	size_t looked_bytes; /* of names, whatever became of them */
};

/* Drops what was collected. */
void symbol_builder__fini(struct symbol_builder *builder);

/*
 * How long a name is that ends with a zero within the bytes that are left; *length 0: it is none, or
 * too long for one. What is looked at for it counts. 0, or -E2BIG: more than all names of a file.
 */
int symbol_builder__measure(struct symbol_builder *builder, const char *name, size_t left,
			    size_t *length);

/* 0, -ENOMEM, or -E2BIG: more symbols or names than anybody's file has. Names have no zeros. */
int symbol_builder__add(struct symbol_builder *builder, const struct symbol *symbol);

/* Leaves the builder empty. NULL: out of memory. */
struct symbol_table *symbol_builder__finish(struct symbol_builder *builder);

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
	const char *name;		 /* as added, terminated; lives as long as the table */
	uint64_t start;			 /* of the symbol */
	const struct symbol_name **slot; /* for the caller: what the name became; NULL at first */
};

/* The innermost symbol that contains the address: the one that starts last. */
bool symbol_table__find(const struct symbol_table *table, uint64_t address,
			struct found_symbol *found);

size_t symbol_table__memory_bytes(const struct symbol_table *table);

#endif
