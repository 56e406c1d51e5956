/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of symbols as people write them: demangled. */
#ifndef TOPSTACKS_ELF_NAMES_H
#define TOPSTACKS_ELF_NAMES_H

#include <stddef.h>

#define NAME_MAX_DEMANGLED 32768

/*
 * C++, Rust and D. Returns the length of the name in text, which is terminated; of one that is longer than
 * size, with "…" for its middle. 0: not mangled, not valid, or too long (above 1 MiB, or text has no room
 * for both ends), and then the mangled name is the best there is.
 */
size_t names__demangle(const char *mangled, char *text, size_t size);

#endif
