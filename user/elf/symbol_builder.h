/* SPDX-License-Identifier: GPL-2.0-only */
/* Collects symbols in any order, and makes a table of them. */
#ifndef TOPSTACKS_ELF_SYMBOL_BUILDER_H
#define TOPSTACKS_ELF_SYMBOL_BUILDER_H

#include "base/common.h"
#include "elf/symbol_table.h"

struct symbol_entry;

#define SYMBOL_MAX_NAME_BYTES (1U << 20) /* a longer name is not valid */

/* The priority among names for one address: the lowest is shown. */
enum binding {
	BINDING_GLOBAL,
	BINDING_WEAK,
	BINDING_LOCAL,
};

/*
 * A symbol from a source. A symbol without a size only covers the bytes up to the next symbol,
 * `size` at most, and none that a symbol with a size covers.
 *
 * A symbol with an empty name is a function without a name. It takes nothing from named symbols:
 * inside of it they keep their ranges, and it is dropped if it begins at or inside of a named one.
 * It limits a symbol without a size that begins inside of it.
 */
struct symbol {
	uint64_t start;
	uint64_t size;
	bool sized;
	enum binding binding;
	const char *name; /* not terminated; borrowed until symbol_builder__finish() */
	size_t name_length;
};

/* Zeroed before use. */
struct symbol_builder {
	struct symbol_entry *entries;
	size_t nr_entries, capacity;
	size_t nr_unnamed;   /* of them, functions without a name */
	size_t names_bytes;  /* of the symbols' names */
	size_t looked_bytes; /* of names measured, used or not */
	size_t source_bytes; /* of the sources of names */
};

/* Drops all symbols. */
void symbol_builder__fini(struct symbol_builder *builder);

/* Announces a source of names: the sum of measured names may be a few times its size. */
void symbol_builder__expect(struct symbol_builder *builder, size_t source_bytes);

/*
 * Measures a name that ends with a zero within `left` bytes; *length 0: it is not terminated, empty
 * or too long. The bytes looked at count. 0, or -E2BIG: more than the sources can have.
 */
int symbol_builder__measure(struct symbol_builder *builder, const char *name, size_t left,
			    size_t *length);

/*
 * Adds a symbol; its name has no zeros. 0, -ENOMEM, or -E2BIG: more symbols or names than any valid
 * file has.
 */
int symbol_builder__add(struct symbol_builder *builder, const struct symbol *symbol);

/* Makes the table and empties the builder. NULL: out of memory. */
struct symbol_table *symbol_builder__finish(struct symbol_builder *builder);

#endif
