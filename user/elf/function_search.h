/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds functions of an ELF file by a name that a user types: the symbol's name, or the name as
 * profiles show it.
 */
#ifndef TOPSTACKS_ELF_FUNCTION_SEARCH_H
#define TOPSTACKS_ELF_FUNCTION_SEARCH_H

#include "base/common.h"

struct elf_file;

/* How well a name fits, best first. */
enum function_likeness {
	LIKE_SYMBOL,		 /* "_ZN2ns5parseEi", without a version */
	LIKE_SHOWN,		 /* "ns::parse(int)" */
	LIKE_WITHOUT_PARAMETERS, /* "ns::parse" */
	LIKE_CLONED,		 /* "ns::parse" of "ns::parse(int) [clone .cold]" */
	LIKE_NEARLY,		 /* a typing error */
	LIKE_NOTHING,
};

#define FUNCTION_SHOWN_NAMES	 5
#define FUNCTION_SHOWN_NAME_SIZE 256 /* with its zero */

struct found_function {
	uint64_t start, size;
	size_t distance; /* LIKE_NEARLY */
	char symbol[FUNCTION_SHOWN_NAME_SIZE],
		shown[FUNCTION_SHOWN_NAME_SIZE]; /* cut off if they are longer */
};

/* The caller sets name and likeness (LIKE_NOTHING), and zeroes the rest. */
struct function_search {
	const char *name;
	enum function_likeness likeness; /* the best of any function */
	struct found_function
		functions[FUNCTION_SHOWN_NAMES]; /* with that likeness; LIKE_NEARLY: nearest
						  * first */
	size_t nr_functions;			 /* at different addresses; LIKE_SYMBOL: only one */
	bool has_more;				 /* there are more functions */
	bool is_chosen_at_load; /* one of the symbols is an indirect function, a resolver */
};

/*
 * Looks in the first section of the type (SHT_SYMTAB, SHT_DYNSYM). Earlier results stay unless new
 * ones fit better. 0, -ENOMEM, or -E2BIG: more names than any valid file of that size has.
 */
int function_search__look(struct elf_file *file, uint32_t type, struct function_search *search);

#endif
