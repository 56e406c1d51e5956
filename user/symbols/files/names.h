/* SPDX-License-Identifier: GPL-2.0-only */
/* How a symbol is shown, and whether a stack that ends in it is whole. */
#ifndef TOPSTACKS_SYMBOLS_FILES_NAMES_H
#define TOPSTACKS_SYMBOLS_FILES_NAMES_H

#include <stdbool.h>

struct strings;

struct symbol_name {
	const char *function;
	const char *module; /* of kernel symbols; NULL: the mapping says it */
	bool root;
};

/* Allocated from strings. raw is what the symbol table says. NULL: out of memory. */
const struct symbol_name *names__user(struct strings *strings, const char *raw, bool demangle);

/* raw as in kallsyms: "nft_do_chain\t[nf_tables]". */
const struct symbol_name *names__kernel(struct strings *strings, const char *raw, bool demangle);

#endif
