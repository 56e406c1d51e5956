/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of a demangled name: in "std::vector<int> ns::parse<char>(int) const" these are the
 * return type, the function, and its parameters. C++ functions end with their parameters, and only
 * templates have a return type. Names of other languages do not end so, and have no such parts.
 */
#ifndef TOPSTACKS_BASE_FUNCTION_NAME_H
#define TOPSTACKS_BASE_FUNCTION_NAME_H

#include "base/common.h"

/* Returns the length of "operator<<", "operator()" and the like at this place; 0: no operator. */
size_t function_name__operator(const char *name, size_t at);

/* The function within a name of nr_bytes. False: the name has no parameters. */
struct function_name {
	size_t start, end;
};
bool function_name__find(const char *name, size_t nr_bytes, struct function_name *found);

/* Returns the name without the return type; the name itself if it has no return type. */
const char *function_name__called(const char *name);

#endif
