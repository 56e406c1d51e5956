/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of symbols as people write them: demangled. */
#ifndef TOPSTACKS_ELF_NAMES_H
#define TOPSTACKS_ELF_NAMES_H

#include <stddef.h>

#define NAME_MAX_DEMANGLED 8192

/*
 * C++, Rust and D. Returns the length of the name in text, which is terminated; 0: not mangled, not
 * valid, or longer than size, and then the mangled name is the best there is.
 */
size_t names__demangle(const char *mangled, char *text, size_t size);

#endif
