/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of a demangled function: "std::vector<int> ns::parse<char>(int) const" returns, is called, and takes.
 * Functions of C++ end with their parameters, and only templates say what they return. Names of other languages do
 * not end so, and have no such parts.
 */
#ifndef TOPSTACKS_BASE_FUNCTION_NAME_H
#define TOPSTACKS_BASE_FUNCTION_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of "operator<<" and the like at this place, "operator()" too; 0: there is none. */
size_t function_name__operator(const char *name, size_t at);

/* Where what it is called begins and ends, of a name of so many bytes. False: it has no parameters. */
struct function_name {
	size_t start, end;
};
bool function_name__find(const char *name, size_t nr_bytes, struct function_name *found);

/* Behind what it returns; the name itself where it does not say that. */
const char *function_name__called(const char *name);

#endif
