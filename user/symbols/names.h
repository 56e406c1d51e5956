/* SPDX-License-Identifier: GPL-2.0-only */
/* What a symbol is called: demangled, and whether a stack that ends in it is whole. */
#ifndef TOPSTACKS_SYMBOLS_NAMES_H
#define TOPSTACKS_SYMBOLS_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct strings;

#define NAME_MAX_DEMANGLED 32768

struct symbol_name {
	const char *function;
	const char *module; /* of kernel symbols; NULL: the mapping says it */
	bool root;
};

/*
 * C++, Rust and D. Returns the length of the name in text, which is terminated; of one that is longer than
 * size, with "…" for its middle. 0: not mangled, not valid, or too long (above 1 MiB, or text has no room
 * for both ends), and then the mangled name is the best there is.
 */
size_t names__demangle(const char *mangled, char *text, size_t size);

/* Allocated from strings. raw is what the symbol table says. NULL: out of memory. */
const struct symbol_name *names__user(struct strings *strings, const char *raw, bool demangle);

/* raw as in kallsyms: "nft_do_chain\t[nf_tables]". */
const struct symbol_name *names__kernel(struct strings *strings, const char *raw, bool demangle);

#endif
