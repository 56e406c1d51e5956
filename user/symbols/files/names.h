/* SPDX-License-Identifier: GPL-2.0-only */
/* Turns symbols into shown names, and tells whether a stack that ends in one is complete. */
#ifndef TOPSTACKS_SYMBOLS_FILES_NAMES_H
#define TOPSTACKS_SYMBOLS_FILES_NAMES_H

#include "base/common.h"

struct strings;

struct symbol_name {
	const char *function;
	const char *module; /* for kernel symbols; NULL: use the mapping's */
	bool root;
};

/* raw: a name of the symbol table. The result belongs to strings. */
const struct symbol_name *names__user(struct strings *strings, const char *raw, bool demangle);

/* raw: as in kallsyms, "nft_do_chain\t[nf_tables]". NULL: it is longer than the kernel's names. */
const struct symbol_name *names__kernel(struct strings *strings, const char *raw, bool demangle);

#endif
