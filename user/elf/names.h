/* SPDX-License-Identifier: GPL-2.0-only */
/* Demangles names of symbols. */
#ifndef TOPSTACKS_ELF_NAMES_H
#define TOPSTACKS_ELF_NAMES_H

#include "base/common.h"

#define NAME_MAX_DEMANGLED 32768

/*
 * Demangles C++, Rust and D. Writes the terminated name to text and returns its length; a name
 * longer than size gets "…" for its middle. 0: not mangled, not valid, or too long (above 1 MiB,
 * or text has no room for both ends): then show the mangled name.
 */
size_t names__demangle(const char *mangled, char *text, size_t size);

#endif
