/* SPDX-License-Identifier: GPL-2.0-only */
/* Collects symbols in any order, and makes a table of them. */
#ifndef TOPSTACKS_ELF_SYMBOL_BUILDER_H
#define TOPSTACKS_ELF_SYMBOL_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/symbol_table.h"

struct symbol_entry;

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
 *
 * A symbol whose name is empty is a function that nobody names, and takes nothing from those that
 * somebody does: within it they keep their parts, and it is left out if it begins where or within
 * what one of them covers. It bounds the guess of one without a size that begins in it.
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
	size_t nr_unnamed;   /* of them, functions that nobody names */
	size_t names_bytes;  /* of the symbols */
	size_t looked_bytes; /* of names, whatever became of them */
	size_t source_bytes; /* of what holds them */
};

/* Drops what was collected. */
void symbol_builder__fini(struct symbol_builder *builder);

/* Tells of a source whose names are measured: their sum may be a few times its bytes. */
void symbol_builder__expect(struct symbol_builder *builder, size_t source_bytes);

/*
 * How long a name is that ends with a zero within the bytes that are left; *length 0: it is none, or
 * too long for one. What is looked at for it counts. 0, or -E2BIG: more than all names of the sources.
 */
int symbol_builder__measure(struct symbol_builder *builder, const char *name, size_t left,
			    size_t *length);

/* 0, -ENOMEM, or -E2BIG: more symbols or names than anybody's file has. Names have no zeros. */
int symbol_builder__add(struct symbol_builder *builder, const struct symbol *symbol);

/* Leaves the builder empty. NULL: out of memory. */
struct symbol_table *symbol_builder__finish(struct symbol_builder *builder);

#endif
