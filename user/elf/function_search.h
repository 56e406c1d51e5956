/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of an ELF file by a name as people say it: the symbol's, or as profiles show it. */
#ifndef TOPSTACKS_ELF_FUNCTION_SEARCH_H
#define TOPSTACKS_ELF_FUNCTION_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file;

/* How a name fits, the strictest first. */
enum function_likeness {
	LIKE_SYMBOL,		 /* "_ZN2ns5parseEi", without a version */
	LIKE_SHOWN,		 /* "ns::parse(int)" */
	LIKE_WITHOUT_PARAMETERS, /* "ns::parse" */
	LIKE_CLONED,		 /* "ns::parse" of "ns::parse(int) [clone .cold]" */
	LIKE_NEARLY,		 /* mistyped */
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

/* name is said by the caller, all else is zeroed but likeness: LIKE_NOTHING. */
struct function_search {
	const char *name;
	enum function_likeness likeness; /* the strictest that any function has */
	struct found_function
		functions[FUNCTION_SHOWN_NAMES]; /* that have it; LIKE_NEARLY: the likest first */
	size_t nr_functions;			 /* at different addresses; LIKE_SYMBOL: one */
	bool has_more;				 /* than are told here */
	bool is_chosen_at_load; /* some version of it is no function, but chooses one */
};

/*
 * Looks for it in the first section of that type (SHT_SYMTAB, SHT_DYNSYM); what was found before stays, unless
 * it is less like it. 0, -ENOMEM, or -E2BIG: more names than a file of that size has.
 */
int function_search__look(struct elf_file *file, uint32_t type, struct function_search *search);

#endif
